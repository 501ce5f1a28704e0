package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.CLOSED;
import static dev.ovation.chaos.Operation.Outcome.CONFLICT;
import static dev.ovation.chaos.Operation.Outcome.FULL;
import static dev.ovation.chaos.Operation.Outcome.LIMIT;
import static dev.ovation.chaos.Operation.Outcome.MANY;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.SOON;
import static dev.ovation.chaos.Operation.Outcome.STRANGER;
import static dev.ovation.chaos.Operation.Outcome.UNKNOWN;
import static dev.ovation.chaos.Operation.Outcome.YOUNG;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Holder;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Histories made by hand: the checker reports a change that a constraint or a season forbids, and a
 * refusal that none explains.
 */
class TermsTest {

    private static final Place PLACE = new Place(Space.RULED, "film");
    private static final Person CHILD = new Person(Person.ADULT - 1, true);
    private static final Person MEMBER = new Person(Person.ADULT, true);
    private static final Person GUEST = new Person(Person.ADULT, false);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Instant seasonEnds = now.plus(Duration.ofHours(1));
    private final Violations violations = new Violations();
    private final Histories histories =
            new Histories(new Season(seasonEnds), () -> now, violations);
    private final History ann = histories.of("ann", PLACE);
    private final Audience everybody = histories.audience(PLACE);

    @Test
    void aUserMayHaveTwoReactions() {
        later(Kind.ADD, "a", MEMBER, OK);
        later(Kind.ADD, "c", MEMBER, OK);
        later(Kind.ADD, "d", MEMBER, MANY);
        later(Kind.PUT, "cde", MEMBER, MANY);
        later(Kind.FORCE, "b", MEMBER, OK);
        assertNothing();
        later(Kind.ADD, "d", MEMBER, OK);
        assertContradiction();
    }

    @Test
    void aSecondReactionIsNotOneTooMany() {
        later(Kind.ADD, "a", MEMBER, OK);
        later(Kind.ADD, "c", MEMBER, MANY);
        assertContradiction();
    }

    @Test
    void anUnknownThirdReactionIsNotApplied() {
        later(Kind.ADD, "a", MEMBER, OK);
        later(Kind.ADD, "c", MEMBER, OK);
        later(Kind.ADD, "d", MEMBER, UNKNOWN);
        later(Kind.ADD, "d", MEMBER, Outcome.EXISTS);
        assertContradiction();
    }

    @Test
    void aChangeWithinThePauseMustBeRefused() {
        later(Kind.ADD, "a", MEMBER, OK);
        pass(Term.PAUSE_MILLIS - 1);
        record(Kind.ADD, "c", MEMBER, SOON);
        assertNothing();
        record(Kind.ADD, "c", MEMBER, OK);
        assertContradiction();
    }

    @Test
    void aChangeAfterThePauseMustNotBeRefused() {
        later(Kind.ADD, "a", MEMBER, OK);
        pass(Term.PAUSE_MILLIS);
        record(Kind.ADD, "c", MEMBER, OK);
        assertNothing();
        pass(Term.PAUSE_MILLIS);
        record(Kind.PUT, "cd", MEMBER, SOON);
        assertContradiction();
    }

    @Test
    void aChangeThatTakesBackNeedsNoPause() {
        later(Kind.ADD, "a", MEMBER, OK);
        record(Kind.REMOVE, "a", MEMBER, OK);
        assertNothing();
        record(Kind.REMOVE, "a", MEMBER, SOON);
        assertContradiction();
    }

    /** The time of a reaction that was taken back is known while Redis holds the entity. */
    @Test
    void aReactionThatWasTakenBackMayDemandAPause() {
        later(Kind.ADD, "a", MEMBER, OK);
        record(Kind.REMOVE, "a", MEMBER, OK);
        record(Kind.ADD, "c", MEMBER, SOON);
        record(Kind.ADD, "c", MEMBER, OK);
        assertNothing();
    }

    @Test
    void anUnknownAdditionMayHappenAtAnyTimeAndDemandAPause() {
        later(Kind.ADD, "a", MEMBER, UNKNOWN);
        pass(10 * Term.PAUSE_MILLIS);
        record(Kind.ADD, "c", MEMBER, SOON);
        assertNothing();
        record(Kind.ADD, "a", MEMBER, Outcome.EXISTS); // so it was applied
        assertNothing();
    }

    @Test
    void aRefusalByThePauseShowsThatAnAdditionWasApplied() {
        later(Kind.ADD, "a", MEMBER, UNKNOWN);
        record(Kind.ADD, "c", MEMBER, SOON);
        pass(Term.PAUSE_MILLIS);
        record(Kind.ADD, "a", MEMBER, OK);
        assertContradiction();
    }

    @Test
    void oneReactionIsForAdults() {
        later(Kind.ADD, "e", CHILD, YOUNG);
        later(Kind.PUT, "de", Person.UNKNOWN, YOUNG);
        later(Kind.ADD, "e", GUEST, OK);
        later(Kind.PUT, "de", CHILD, OK); // keeps it
        assertNothing();
        later(Kind.FORCE, "a", CHILD, YOUNG);
        assertContradiction();
    }

    @Test
    void aChildWithTheReactionForAdultsIsReported() {
        later(Kind.ADD, "e", CHILD, OK);
        assertContradiction();
    }

    @Test
    void oneReactionIsForMembers() {
        later(Kind.ADD, "f", GUEST, STRANGER);
        later(Kind.ADD, "f", MEMBER, OK);
        assertNothing();
        later(Kind.REMOVE, "f", MEMBER, OK);
        later(Kind.ADD, "f", MEMBER, STRANGER);
        assertContradiction();
    }

    @Test
    void aGuestWithTheReactionForMembersIsReported() {
        later(Kind.ADD, "f", GUEST, OK);
        assertContradiction();
    }

    @Test
    void theSeasonMustBeOpenUntilItsEnd() {
        later(Kind.ADD, "g", MEMBER, OK);
        assertNothing();
        later(Kind.REMOVE, "g", MEMBER, OK);
        later(Kind.ADD, "g", MEMBER, CLOSED);
        assertContradiction();
    }

    @Test
    void nothingIsAddedAfterTheSeason() {
        later(Kind.ADD, "g", MEMBER, OK);
        now = seasonEnds;
        later(Kind.ADD, "g", MEMBER, CLOSED);
        later(Kind.PUT, "cg", MEMBER, OK); // keeps it
        later(Kind.REMOVE, "g", MEMBER, OK);
        later(Kind.PUT, "g", MEMBER, CLOSED);
        assertNothing();
        later(Kind.ADD, "g", MEMBER, OK);
        assertContradiction();
    }

    @Test
    void anAudienceIsOfAdults() {
        later(Kind.ADD, "h", CHILD, CLOSED);
        later(Kind.ADD, "h", Person.UNKNOWN, CLOSED);
        later(Kind.ADD, "h", GUEST, OK);
        assertNothing();
        later(Kind.REMOVE, "h", CHILD, OK);
        later(Kind.ADD, "h", GUEST, CLOSED);
        assertContradiction();
    }

    @Test
    void someoneOutsideTheAudienceIsReported() {
        later(Kind.ADD, "h", CHILD, OK);
        assertContradiction();
    }

    @Test
    void theBuiltInConstraintsHoldBesides() {
        later(Kind.ADD, "a", MEMBER, OK);
        later(Kind.ADD, "b", MEMBER, CONFLICT);
        assertNothing();
        later(Kind.ADD, "c", MEMBER, LIMIT);
        assertContradiction();
    }

    @Test
    void anEntityIsNotFullBeforeEnoughReactionsWereSent() {
        var add = operation(Kind.ADD, "a", MEMBER);
        for (int i = 0; i < Term.MOST_OF_AN_ENTITY; i++) {
            everybody.sent("user-" + i, add);
        }
        everybody.full(add);
        assertNothing();
        var other = histories.audience(new Place(Space.RULED, "other film"));
        for (String each : Place.LETTERS) {
            other.sent("ann", operation(Kind.ADD, each, MEMBER));
        }
        other.full(add);
        assertThat(violations.found()).singleElement().asString().contains("has at most 2");
    }

    @Test
    void otherNamespacesHaveNoneOfTheseConstraints() {
        var free = histories.of("ann", new Place(Space.FREE, "film"));
        for (String each : List.of("a", "b", "c", "e")) {
            free.answered(operation(Kind.ADD, each, CHILD), OK, -1, "here");
        }
        assertNothing();
        free.answered(operation(Kind.ADD, "d", CHILD), FULL, -1, "here");
        assertContradiction();
    }

    @Test
    void storedReactionsOfAUserAreNotTooMany() {
        assertThat(stored(Map.of("ann", 0b1100)).faults()).isEmpty();
        assertThat(stored(Map.of("ann", 0b11100)).faults())
                .containsExactly("Holder[user=ann, place=ruled/film] has too many: [c, d, e]");
    }

    @Test
    void storedReactionsOfAnEntityAreNotTooMany() {
        var users = new HashMap<String, Integer>();
        for (int i = 0; i < Term.MOST_OF_AN_ENTITY; i++) {
            users.put("user-" + i, 1);
        }
        assertThat(stored(users).faults()).isEmpty();
        users.put("ann", 1);
        assertThat(stored(users).faults())
                .containsExactly("ruled/film has too many reactions: {a=21}");
    }

    @Test
    void shownReactionsOfAnEntityAreNotTooMany() {
        for (int i = 0; i <= Term.MOST_OF_AN_ENTITY; i++) {
            everybody.sent("user-" + i, operation(Kind.ADD, "a", MEMBER));
        }
        show(Term.MOST_OF_AN_ENTITY);
        assertNothing();
        show(Term.MOST_OF_AN_ENTITY + 1);
        assertThat(violations.found()).singleElement().asString().contains("too many reactions");
    }

    private void show(int count) {
        var entity = JsonMapper.shared().createObjectNode();
        entity.putArray("reactions_count").addObject().put("reaction_id", "a").put("count", count);
        everybody.shown(entity, 0, "here");
    }

    private static Snapshot stored(Map<String, Integer> users) {
        var rows = new HashMap<Holder, Integer>();
        var counts = new HashMap<String, Long>();
        users.forEach(
                (user, bits) -> {
                    rows.put(new Holder(user, PLACE), bits);
                    PLACE.names(bits).forEach(each -> counts.merge(each, 1L, Long::sum));
                });
        return new Snapshot(
                rows,
                Map.of(PLACE, counts),
                Map.of(PLACE, (long) users.size()),
                Map.of(),
                Map.of());
    }

    private Operation operation(Kind kind, String reactions, Person person) {
        int set = PLACE.space().bits(reactions.split(""));
        int reaction = kind == Kind.PUT ? 0 : Place.LETTERS.indexOf(reactions);
        return new Operation(kind, reaction, kind == Kind.PUT ? set : 0, 0, null, person, now);
    }

    private void pass(int millis) {
        now = now.plusMillis(millis);
    }

    /** Records an operation after all pauses. */
    private void later(Kind kind, String reactions, Person person, Outcome outcome) {
        pass(2 * Term.PAUSE_MILLIS);
        record(kind, reactions, person, outcome);
    }

    private void record(Kind kind, String reactions, Person person, Outcome outcome) {
        ann.answered(operation(kind, reactions, person), outcome, -1, "here");
    }

    private void assertNothing() {
        assertThat(violations.found()).isEmpty();
    }

    private void assertContradiction() {
        assertThat(violations.found()).singleElement().asString().contains("contradicts");
    }
}
