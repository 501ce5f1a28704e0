package dev.ovation.model;

import static dev.ovation.model.Steps.add;
import static dev.ovation.model.Steps.addIn;
import static dev.ovation.model.Steps.batch;
import static dev.ovation.model.Steps.details;
import static dev.ovation.model.Steps.ensure;
import static dev.ovation.model.Steps.force;
import static dev.ovation.model.Steps.keyed;
import static dev.ovation.model.Steps.put;
import static dev.ovation.model.Steps.read;
import static dev.ovation.model.Steps.remove;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Sequences with expected answers that were derived by hand from the contract. */
class ReferenceModelTest {

    private static final String OK = "{\"status\":\"ok\"}";

    private final ReferenceModel model = new ReferenceModel(World.USUAL);

    @Test
    void anUntouchedEntityIsEmpty() {
        says(read("ann"), 200, shown("", "ann", ""));
    }

    @Test
    void countsAreOrderedByCountThenByFirstTime() {
        says(add("ann", "party"), 200, OK);
        says(add("ben", "👍"), 200, OK);
        says(add("cat", "epoch"), 200, OK);
        says(add("dan", "👍"), 200, OK);
        says(
                read("ann"),
                200,
                shown(count("👍", 2) + "," + count("party", 1) + "," + count("epoch", 1), "ann")
                        .formatted("\"party\""));
    }

    @Test
    void oneReactionHasTwoSpellingsAndIsAnsweredInTheConfiguredOne() {
        says(add("ann", "❤"), 200, OK);
        says(add("ann", "❤\uFE0F"), 403, refused("reaction-already-exists"));
        says(ensure("ann", "❤\uFE0F"), 200, OK);
        says(read("ann"), 200, shown(count("❤\uFE0F", 1), "ann").formatted("\"❤\uFE0F\""));
    }

    @Test
    void aConflictNamesTheUsersOwnReactionsInTheOrderOfTheGroups() {
        says(add("ann", "❤"), 200, OK);
        says(add("ann", "👍"), 200, OK);
        says(add("ben", "👍🏽"), 200, OK);
        says(
                add("ann", "👎"),
                403,
                "{\"code\":\"conflicting-reaction\",\"outcome\":\"refused\","
                        + "\"conflicting\":[\"👍\",\"❤\uFE0F\"]}");
        says(force("ann", "👎"), 200, OK);
        says(
                read("ann"),
                200,
                shown(count("👍🏽", 1) + "," + count("👎", 1), "ann").formatted("\"👎\""));
    }

    @Test
    void theLimitIsCheckedAfterForcedRemovals() {
        says(addIn("one-of.1", "ann", "like"), 200, OK);
        var dislike = addIn("one-of.1", "ann", "dislike");
        says(
                dislike,
                403,
                "{\"code\":\"conflicting-reaction\",\"outcome\":\"refused\",\"conflicting\":[\"like\"]}");
        says(forced(dislike), 200, OK);
        says(addIn("one-of.1", "ben", "dislike"), 200, OK);
        says(
                forced(addIn("one-of.1", "ben", "like")),
                403,
                "{\"code\":\"max-uniq-reactions\",\"outcome\":\"refused\",\"limit\":1}");
    }

    @Test
    void removingAnAbsentReactionChangesNothing() {
        says(add("ann", "👍"), 200, OK);
        says(remove("ben", "👍"), 200, OK);
        says(remove("ann", "unheard of"), 200, OK);
        says(read("ben"), 200, shown(count("👍", 1), "ben").formatted(""));
        assertThat(model.entities.values().iterator().next().changes()).isEqualTo(1);
    }

    @Test
    void aRetryGetsTheFirstAnswerAndAnotherRequestNone() {
        says(keyed("k", add("ann", "👍")), 200, OK);
        says(remove("ann", "👍"), 200, OK);
        says(keyed("k", add("ann", "👍")), 200, OK);
        says(keyed("k", add("ann", "party")), 422, refused("idempotency-mismatch"));
        says(keyed("k", add("ben", "party")), 200, OK);
        says(read("ann"), 200, shown(count("party", 1), "ann").formatted(""));
    }

    @Test
    void aRefusalIsJudgedAnew() {
        says(add("ann", "👍"), 200, OK);
        says(keyed("k", add("ann", "👍")), 403, refused("reaction-already-exists"));
        says(remove("ann", "👍"), 200, OK);
        says(keyed("k", add("ann", "👍")), 200, OK);
    }

    @Test
    void aRetiredReactionCanBeTakenBackAndUsesUpNoPlace() {
        says(add("ann", "👎"), 200, OK);
        says(add("ann", "👩‍💻"), 200, OK);
        model.send(new Command.Refresh(World.TIGHT));
        says(add("ben", "👎"), 403, refused("unknown-reaction"));
        says(add("ben", "👍"), 200, OK);
        says(add("ben", "epoch"), 200, OK);
        says(remove("ann", "👎"), 200, OK);
        says(
                read("ann"),
                200,
                shown(count("👩‍💻", 1) + "," + count("👍", 1) + "," + count("epoch", 1), "ann")
                        .formatted("\"👩‍💻\""));
    }

    @Test
    void firstIsWhenTheCountLastRoseFromZeroAndLastTheNewestAdditionSince() {
        says(add("ann", "👍"), 200, OK);
        says(remove("ann", "👍"), 200, OK);
        says(add("ann", "👍"), 200, OK);
        says(add("ben", "👍"), 200, OK);
        says(remove("ben", "👍"), 200, OK);
        says(
                details(),
                200,
                "{\"entity_id\":\"post\",\"reactions_count\":[{\"reaction_id\":\"👍\",\"count\":1,"
                        + "\"first_reacted_at\":\"t003\",\"last_reacted_at\":\"t004\"}],"
                        + "\"version\":\"v005\",\"total\":1}");
    }

    @Test
    void aPutIsJudgedOnTheResultingSet() {
        says(add("ann", "👍"), 200, OK);
        says(add("ann", "party"), 200, OK);
        says(
                put("ann", "epoch", "👎", "❤"),
                403,
                "{\"code\":\"conflicting-reaction\",\"outcome\":\"refused\","
                        + "\"conflicting\":[\"👎\"]}");
        assertThat(model.send(put("ann", "party", "👎")).body())
                .startsWith(
                        "{\"status\":\"ok\",\"outcome\":\"applied\",\"added\":[\"👎\"],"
                                + "\"removed\":[\"👍\"],\"unchanged\":[\"party\"],\"entity\"");
        says(
                read("ann"),
                200,
                shown(count("party", 1) + "," + count("👎", 1), "ann")
                        .formatted("\"party\",\"👎\""));
    }

    @Test
    void countsOfAPutFollowTheSetAndOwnReactionsTheirBytes() {
        assertThat(model.send(put("ann", "epoch", "❤", "party")).status()).isEqualTo(200);
        says(
                read("ann"),
                200,
                shown(
                                count("❤\uFE0F", 1)
                                        + ","
                                        + count("party", 1)
                                        + ","
                                        + count("epoch", 1),
                                "ann")
                        .formatted("\"epoch\",\"party\",\"❤\uFE0F\""));
    }

    @Test
    void aPutNeverRefusesExistingReactions() {
        says(add("ann", "👍"), 200, OK);
        says(add("ann", "👩‍💻"), 200, OK);
        model.send(new Command.Refresh(World.TIGHT));
        says(put("ann", "👍", "👩‍💻", "party"), 403, conflict("👍"));
        says(put("ben", "👩‍💻"), 403, refused("unknown-reaction"));
        assertThat(model.send(put("ann", "👩‍💻", "👍")).body()).contains("\"unchanged\"");
        assertThat(model.send(put("ann", "👩‍💻", "party")).body())
                .contains("\"removed\":[\"👍\"],\"unchanged\":[\"👩‍💻\"]");
    }

    @Test
    void aBatchIsOneAfterTheOther() {
        says(
                batch(add("ann", "👍"), add("ann", "👍"), remove("ann", "👍"), remove("ann", "👍")),
                200,
                "{\"results\":[{\"outcome\":\"applied\"},{\"problem\":"
                        + refused("reaction-already-exists")
                        + "},{\"outcome\":\"applied\"},{\"outcome\":\"unchanged\"}]}");
    }

    private static String conflict(String reaction) {
        return "{\"code\":\"conflicting-reaction\",\"outcome\":\"refused\",\"conflicting\":[\""
                + reaction
                + "\"]}";
    }

    private void says(Command command, int status, String body) {
        assertThat(model.send(command)).isEqualTo(new Reply(status, body));
    }

    private static Command forced(Command.Write write) {
        return new Command.Write(
                write.kind(),
                write.namespace(),
                write.entity(),
                write.user(),
                write.reaction(),
                true,
                false,
                "",
                false,
                false);
    }

    private static String refused(String code) {
        return "{\"code\":\"" + code + "\",\"outcome\":\"refused\"}";
    }

    private static String count(String reaction, int count) {
        return "{\"reaction_id\":\"" + reaction + "\",\"count\":" + count + "}";
    }

    private static String shown(String counts, String user, String own) {
        return "{\"entity_id\":\"post\",\"reactions_count\":["
                + counts
                + "],\"user_reactions\":{\"user_id\":\""
                + user
                + "\",\"reactions\":["
                + own
                + "]}}";
    }

    private static String shown(String counts, String user) {
        return shown(counts, user, "%s");
    }
}
