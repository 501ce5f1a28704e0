package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.CONFLICT;
import static dev.ovation.chaos.Operation.Outcome.EXISTS;
import static dev.ovation.chaos.Operation.Outcome.LIMIT;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.UNAVAILABLE;
import static dev.ovation.chaos.Operation.Outcome.UNKNOWN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Cursor;
import dev.ovation.chaos.Snapshot.Holder;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Histories made by hand: the checker reports each violation, and nothing else. */
class CheckerTest {

    private static final Place PLACE = new Place(Space.CAPPED, "film");

    private final Violations violations = new Violations();
    private final Histories histories =
            new Histories(new Season(Instant.MAX), InstantSource.system(), violations);
    private final History ann = histories.of("ann", PLACE);
    private final Audience everybody = histories.audience(PLACE);

    @Test
    void anAcknowledgedChangeMustBeStored() {
        record(Kind.ADD, "a", OK);
        end("", 1);
        assertReported("stored is what is none of [[a]]");
    }

    @Test
    void storedAcknowledgedChangesAreNoViolation() {
        record(Kind.ADD, "a", OK);
        record(Kind.FORCE, "b", OK);
        record(Kind.ENSURE, "b", OK);
        record(Kind.ADD, "d", OK);
        record(Kind.REMOVE, "b", OK);
        record(Kind.REMOVE, "b", OK);
        end("d", 4);
        assertNothing();
    }

    @Test
    void aForceAddMustHaveTakenBackItsRivals() {
        record(Kind.ADD, "a", OK);
        record(Kind.ADD, "c", OK);
        record(Kind.FORCE, "b", OK);
        end("bc", 3);
        assertReported("stored is what is none of [[b]]");
    }

    @Test
    void aRefusedChangeMustNotBeStored() {
        record(Kind.ADD, "a", UNAVAILABLE);
        end("a", 1);
        assertReported("none of [[]]");
    }

    @Test
    void aChangeWithUnknownOutcomeMayBeStoredOrNot() {
        record(Kind.ADD, "a", UNKNOWN);
        end("", 0);
        assertNothing();
        end("a", 1);
        assertNothing();
    }

    @Test
    void aChangeWithUnknownOutcomeIsAppliedAtMostOnce() {
        record(Kind.ADD, "a", UNKNOWN);
        record(Kind.REMOVE, "a", OK);
        record(Kind.ADD, "a", OK);
        record(Kind.REMOVE, "a", OK);
        end("a", 3);
        assertNothing();

        var other = histories.of("ben", PLACE);
        other.answered(operation(Kind.ADD, "a", null), UNKNOWN, -1, "here");
        other.answered(operation(Kind.ADD, "a", null), EXISTS, -1, "here"); // so it was applied
        other.answered(operation(Kind.REMOVE, "a", null), OK, -1, "here");
        judge(Map.of(new Holder("ben", PLACE), 1, new Holder("ann", PLACE), 1), 6);
        assertThat(violations.found()).hasSize(1);
        assertThat(violations.found().getFirst()).contains("ben", "none of [[]]");
    }

    @Test
    void anUnknownOneMayBeAppliedAfterLaterOnes() {
        record(Kind.ADD, "a", UNKNOWN);
        record(Kind.ADD, "b", OK); // so a is not there yet
        record(Kind.REMOVE, "b", OK);
        end("a", 3);
        assertNothing();
    }

    @Test
    void anUnknownOneCannotBeAppliedBesideItsRival() {
        record(Kind.ADD, "a", UNKNOWN);
        record(Kind.ADD, "b", OK);
        end("ab", 2);
        assertReported("none of [[b]]");
    }

    @Test
    void aRetryByKeyThatSucceedsSettlesIt() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, UNKNOWN, -1, "here");
        ann.answered(add, OK, -1, "there");
        end("", 0);
        assertReported("none of [[a]]");
    }

    @Test
    void aRetryByKeyOfAnAppliedOperationIsNotRefused() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, UNKNOWN, -1, "here");
        ann.answered(add, EXISTS, -1, "there");
        assertReported("contradicts earlier answers");
    }

    @Test
    void aRetryByKeyAfterAnOppositeOperationDoesNotApplyItTwice() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, UNKNOWN, -1, "here");
        ann.answered(operation(Kind.ADD, "a", null), EXISTS, -1, "there");
        record(Kind.REMOVE, "a", OK);
        ann.answered(add, OK, -1, "here");
        end("a", 3);
        assertReported("none of [[]]");
    }

    @Test
    void aRetryByKeyThatIsRefusedLeavesTheFirstOneOpen() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, UNKNOWN, -1, "here");
        ann.answered(add, LIMIT, -1, "there");
        end("a", 1);
        assertNothing();
    }

    @Test
    void aRefusalMustHaveAReason() {
        record(Kind.ADD, "a", EXISTS);
        assertReported("contradicts");
    }

    @Test
    void aConflictMustHaveARival() {
        record(Kind.ADD, "c", OK);
        record(Kind.ADD, "a", CONFLICT);
        assertReported("contradicts");
    }

    @Test
    void aLimitMayRefuseAFurtherKind() {
        record(Kind.ADD, "a", LIMIT);
        assertNothing();
    }

    @Test
    void whereAllKindsFitNoLimitRefuses() {
        var free = histories.of("ann", new Place(Space.FREE, "film"));
        free.answered(operation(Kind.ADD, "a", null), LIMIT, -1, "here");
        assertReported("contradicts");
    }

    @Test
    void theUsersReactionsMustBeCountedInTheSameAnswer() {
        ann.shown(0b101, 0b111);
        assertNothing();
        ann.shown(0b101, 0b110);
        assertReported("shown are [a, c] of the user, but counted only [b, c]");
    }

    @Test
    void aKeptAnswerComesAgainAsItWas() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, OK, -1, "here");
        record(Kind.REMOVE, "a", OK);
        ann.repeated(add, "200 first", "200 first", "there");
        end("", 2);
        assertNothing();
        ann.repeated(add, "200 first", "200 other", "there");
        assertReported("again by 200 other");
    }

    @Test
    void aKeptAnswerThatIsAskedForAgainDoesNothing() {
        var add = operation(Kind.ADD, "a", "key");
        ann.answered(add, OK, -1, "here");
        record(Kind.REMOVE, "a", OK);
        ann.repeated(add, "200 first", "200 first", "there");
        end("a", 3);
        assertReported("none of [[]]");
    }

    @Test
    void aSecondAdditionMustBeRefused() {
        record(Kind.ADD, "a", OK);
        record(Kind.ADD, "a", OK);
        assertReported("contradicts");
    }

    @Test
    void theUsersOwnAcknowledgedWriteMustBeShown() {
        record(Kind.ADD, "a", OK);
        ann.read(0, "", "there");
        assertReported("shown what is none of [[a]]");
    }

    @Test
    void aChangeWithUnknownOutcomeMayBeShownAndVanish() {
        record(Kind.ADD, "a", UNKNOWN);
        ann.read(1, "", "there");
        ann.read(0, "", "there");
        end("", 0);
        assertNothing();
    }

    @Test
    void aVersionMustNotStepBackBehindAnAcknowledgedOne() {
        ann.acknowledged("2.0007.x");
        ann.read(0, "2.0007.a", "there");
        ann.read(0, "3.0001.a", "there");
        assertNothing();
        ann.read(0, "2.0006.z", "there");
        assertReported("before the acknowledged 2.0007");
    }

    @Test
    void acknowledgedChangesAreShownToAllAfterTheBound() {
        long bound = Audience.BOUND.toNanos();
        everybody.sent("ann", operation(Kind.ADD, "a", null));
        everybody.acknowledged("2.0008.x", 70);
        everybody.acknowledged("2.0007.x", 50);
        everybody.shown(shown("2.0006.z", "a", 1), 49 + bound, "there");
        everybody.shown(shown("2.0007.a", "a", 1), 69 + bound, "there");
        everybody.shown(shown("2.0008.a", "a", 1), 70 + bound, "there");
        assertNothing();
        everybody.shown(shown("2.0006.z", "a", 1), 50 + bound, "there");
        assertReported("before 2.0007");
        everybody.shown(shown("2.0007.z", "a", 1), 70 + bound, "there");
        assertReported("before 2.0008");
    }

    @Test
    void aCountMustNotExceedTheNumberOfSenders() {
        everybody.sent("ann", operation(Kind.ADD, "a", null));
        everybody.sent("ann", operation(Kind.FORCE, "a", null));
        everybody.sent("ben", operation(Kind.REMOVE, "a", null));
        everybody.shown(shown("1.0001.x", "a", 1), 0, "there");
        assertNothing();
        everybody.shown(shown("1.0001.x", "a", 2), 0, "there");
        assertReported("2 times a, but sent by 1");
    }

    @Test
    void nothingIsCountedLessThanOnce() {
        everybody.shown(shown("1.0001.x", "a", 0), 0, "there");
        assertReported("0 times a");
    }

    @Test
    void theKindsShownMustNotExceedTheLimit() {
        for (String each : Place.LETTERS) {
            everybody.sent("ann", operation(Kind.ADD, each, null));
        }
        everybody.shown(shown("1.0001.x", "a", 1, "c", 1, "d", 1, "e", 1), 0, "there");
        assertNothing();
        everybody.shown(shown("1.0001.x", "a", 1, "c", 1, "d", 1, "e", 1, "f", 1), 0, "there");
        assertReported("too many kinds");
    }

    @Test
    void theAnswerMustStateTheReactionsOfTheUser() {
        ann.answered(operation(Kind.ADD, "a", null), OK, 0b11, "here");
        assertReported("contradicts");
    }

    @Test
    void versionsHaveNoGap() {
        record(Kind.ADD, "a", OK);
        record(Kind.REMOVE, "a", OK);
        end("", 3);
        assertReported("version 3, but between 2 and 2");
    }

    @Test
    void anUnknownOneExplainsOneChangeMore() {
        record(Kind.ADD, "a", OK);
        record(Kind.REMOVE, "a", OK);
        record(Kind.ADD, "a", UNKNOWN);
        record(Kind.REMOVE, "a", UNKNOWN);
        end("", 4);
        assertNothing();
        end("", 5);
        assertReported("version 5, but between 2 and 4");
    }

    @Test
    void aPutLeavesTheWantedSetAlone() {
        record(Kind.ADD, "a", OK);
        record(Kind.ADD, "d", OK);
        put("ce", OK, -1);
        end("ade", 3);
        assertReported("stored is what is none of [[c, e]]");
    }

    @Test
    void aPutIsOneChange() {
        record(Kind.ADD, "a", OK);
        put("ce", OK, 0b10100);
        put("ec", OK, 0b10100);
        end("ce", 2);
        assertNothing();
        end("ce", 3);
        assertReported("version 3, but between 2 and 2");
    }

    @Test
    void aPutIsNotHalfDone() {
        record(Kind.ADD, "d", OK);
        put("ce", UNKNOWN, -1);
        end("d", 1);
        end("ce", 2);
        assertNothing();
        end("de", 2);
        assertReported("stored is what is none of [[c, e], [d]]");
    }

    @Test
    void aPutMayReplaceAConflictingReaction() {
        record(Kind.ADD, "a", OK);
        put("b", OK, 0b10);
        assertNothing();
        put("c", CONFLICT, -1);
        assertReported("contradicts");
    }

    @Test
    void aPutOfRivalsMustBeRefused() {
        put("ab", CONFLICT, -1);
        assertNothing();
        put("ab", OK, -1);
        assertReported("contradicts");
    }

    @Test
    void aPutOfExistingReactionsIsNeverRefusedByTheLimit() {
        put("de", OK, 0b11000);
        put("d", LIMIT, -1);
        assertReported("contradicts");
    }

    @Test
    void rowsThatNoClientWroteAreReported() {
        judge(Map.of(new Holder("eve", PLACE), 1), 1);
        assertThat(violations.found()).anyMatch(text -> text.startsWith("no client wrote"));
    }

    @Test
    void countersEqualRows() {
        var stored =
                new Snapshot(
                        Map.of(new Holder("ann", PLACE), 1),
                        Map.of(PLACE, Map.of("a", 2L)),
                        Map.of(PLACE, 1L),
                        Map.of(),
                        Map.of());
        assertThat(stored.faults()).containsExactly("capped/film: counters {a=2}, rows {a=1}");
    }

    @Test
    void peopleAreTheUsersWithRows() {
        var stored =
                new Snapshot(
                        Map.of(new Holder("ann", PLACE), 1),
                        Map.of(PLACE, Map.of("a", 1L)),
                        Map.of(PLACE, 2L),
                        Map.of(),
                        Map.of());
        assertThat(stored.faults()).containsExactly("capped/film: people 2, users 1");
    }

    @Test
    void exclusiveReactionsAreNotTogether() {
        assertThat(stored(Map.of(new Holder("ann", PLACE), 0b110), 2).faults())
                .anyMatch(text -> text.endsWith("has exclusive bc"));
    }

    @Test
    void anEntityDoesNotShowTooManyKinds() {
        var rows = Map.of(new Holder("ann", PLACE), 0b101001, new Holder("ben", PLACE), 0b010010);
        assertThat(stored(rows, 5).faults()).anyMatch(text -> text.contains("too many kinds"));
    }

    @Test
    void versionsAndCursorsNeverStepBack() {
        var before = new Snapshot(Map.of(), Map.of(), Map.of(), Map.of(PLACE, 7L), cursor(2, 5));
        var fine = new Snapshot(Map.of(), Map.of(), Map.of(), Map.of(PLACE, 7L), cursor(3, 0));
        var older = new Snapshot(Map.of(), Map.of(), Map.of(), Map.of(PLACE, 6L), cursor(2, 4));
        assertThat(fine.faultsAfter(before)).isEmpty();
        assertThat(older.faultsAfter(before)).hasSize(2);
    }

    @Test
    void peopleAreAtLeastTheUsersOfAReactionAndAtMostThoseOfAll() {
        everybody.people(shown("1.0001.x"), "there");
        everybody.people(ofPeople(0), "there");
        everybody.people(ofPeople(2, "a", 2, "c", 1), "there");
        everybody.people(ofPeople(3, "a", 2, "c", 1), "there");
        assertNothing();
        everybody.people(ofPeople(1, "a", 2, "c", 1), "there");
        assertReported("1 people");
        everybody.people(ofPeople(4, "a", 2, "c", 1), "there");
        assertReported("4 people");
        everybody.people(ofPeople(0, "a", 1), "there");
        assertReported("0 people");
    }

    private static JsonNode ofPeople(int total, Object... counts) {
        var entity = (ObjectNode) shown("1.0001.x", counts);
        entity.putObject("people").put("total", total);
        return entity;
    }

    /** Returns the answer for an entity; {@code counts} alternates reactions and counts. */
    private static JsonNode shown(String version, Object... counts) {
        var entity = JsonMapper.shared().createObjectNode().put("version", version);
        var shown = entity.putArray("reactions_count");
        for (int i = 0; i < counts.length; i += 2) {
            shown.addObject()
                    .put("reaction_id", (String) counts[i])
                    .put("count", (int) counts[i + 1]);
        }
        return entity;
    }

    private static Map<Integer, Cursor> cursor(long epoch, long seq) {
        return Map.of(1, new Cursor(epoch, seq));
    }

    private static Operation operation(Kind kind, String reaction, String key) {
        return new Operation(kind, Place.LETTERS.indexOf(reaction), key, Person.UNKNOWN);
    }

    @Test
    void anImportAddsReactionsAndMayLeaveAVersionGap() {
        record(Kind.ADD, "a", OK);
        var operation = importing("de");
        ann.answered(operation, OK, -1, "there");
        end("ade", 1 + Histories.LEAP);
        assertNothing();
    }

    @Test
    void anImportNeedNotBringBackWhatWasTakenBackSinceItsRows() {
        record(Kind.ADD, "a", OK);
        ann.answered(importing("ab"), UNKNOWN, -1, "there");
        record(Kind.REMOVE, "a", OK);
        end("b", 2 + Histories.LEAP);
        assertNothing();
    }

    @Test
    void anImportAddsWhatWasNotTakenBack() {
        var operation = importing("bc");
        ann.answered(operation, UNKNOWN, -1, "there");
        record(Kind.ADD, "a", OK);
        record(Kind.REMOVE, "a", OK);
        ann.answered(operation, OK, -1, "there");
        end("b", 2 + Histories.LEAP);
        assertReported("stored is what is none of [[b, c]]");
    }

    @Test
    void reactionsOfAnImportMustBeStored() {
        ann.answered(importing("b"), OK, -1, "there");
        end("", 0);
        assertReported("stored is what is none of [[b]]");
    }

    @Test
    void aVersionLeapsOnlyByImports() {
        record(Kind.ADD, "a", OK);
        importing("b");
        end("a", 1 + 2 * Histories.LEAP);
        assertReported("1 leaps");
    }

    @Test
    void reactionsOfImportsAndPutsMayBeShown() {
        everybody.sent("ann", Operation.importing(PLACE.space().bits("b"), "key"));
        everybody.sent("ann", Operation.put(PLACE.space().bits("c"), 0, null, Person.UNKNOWN));
        everybody.shown(shown("", "b", 1, "c", 1), 0, "here");
        assertNothing();
    }

    /** An import whose job has not ended. */
    private Operation importing(String reactions) {
        var operation = Operation.importing(PLACE.space().bits(reactions.split("")), "key");
        ann.answered(operation, UNKNOWN, -1, "here");
        return operation;
    }

    private void record(Kind kind, String reaction, Outcome outcome) {
        ann.answered(operation(kind, reaction, null), outcome, -1, "here");
    }

    private void put(String reactions, Outcome outcome, int own) {
        int set = PLACE.space().bits(reactions.split(""));
        ann.answered(Operation.put(set, 0, null, Person.UNKNOWN), outcome, own, "here");
    }

    /** Compares the stored reactions of ann with her history. */
    private void end(String reactions, long version) {
        int bits = PLACE.bits(reactions.isEmpty() ? List.of() : List.of(reactions.split("")));
        judge(bits == 0 ? Map.of() : Map.of(new Holder("ann", PLACE), bits), version);
    }

    private void judge(Map<Holder, Integer> rows, long version) {
        histories.judge(stored(rows, version));
    }

    /** A snapshot whose counters and people equal its rows. */
    private static Snapshot stored(Map<Holder, Integer> rows, long version) {
        var counts = new HashMap<Place, Map<String, Long>>();
        rows.forEach(
                (holder, bits) ->
                        PLACE.names(bits)
                                .forEach(
                                        name ->
                                                counts.computeIfAbsent(
                                                                holder.place(),
                                                                _ -> new HashMap<>())
                                                        .merge(name, 1L, Long::sum)));
        var people = new HashMap<Place, Long>();
        rows.keySet().forEach(holder -> people.merge(holder.place(), 1L, Long::sum));
        return new Snapshot(rows, counts, people, Map.of(PLACE, version), Map.of());
    }

    private void assertNothing() {
        assertThat(violations.found()).isEmpty();
    }

    private void assertReported(String part) {
        assertThat(violations.found())
                .anyMatch(text -> text.contains("film") && text.contains(part));
    }
}
