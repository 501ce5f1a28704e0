package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashMap;
import java.util.List;

/** The block "Reactions" of the contract, without details, representations and keys. */
class ReactionsApiTest extends ApiFixture {

    @Nested
    class Reading {

        @Test
        void anUntouchedEntityHasEmptyLists() {
            assertThat(read(service, "posts", "user_id", "ann").body())
                    .isEqualTo(
                            "{\"entity_id\":\"%s\",\"reactions_count\":[],".formatted(entity)
                                    + "\"user_reactions\":{\"user_id\":\"ann\",\"reactions\":[]}}");
        }

        @Test
        void withoutAUserThereAreNoUserReactions() {
            given("posts", "ann", "👍");

            String expected =
                    "{\"entity_id\":\"%s\",\"reactions_count\":[{\"reaction_id\":\"👍\",\"count\":1}]}"
                            .formatted(entity);
            assertThat(read(service, "posts").body()).isEqualTo(expected);
            assertThat(read(service, "posts", "user_id", "").body()).isEqualTo(expected);
            assertThat(read(service, "posts", "viewer_id", "").body()).isEqualTo(expected);
        }

        @Test
        void viewerIdAndUserIdBothShowTheReactionsOfTheUser() {
            given("posts", "ann", "❤️", "👍");
            given("posts", "ben", "❤️");

            String expected =
                    ("{\"entity_id\":\"%s\",\"reactions_count\":["
                                    + "{\"reaction_id\":\"❤️\",\"count\":2},"
                                    + "{\"reaction_id\":\"👍\",\"count\":1}],"
                                    + "\"user_reactions\":{\"user_id\":\"ann\",\"reactions\":[\"❤️\",\"👍\"]}}")
                            .formatted(entity);
            assertThat(read(service, "posts", "user_id", "ann").body()).isEqualTo(expected);
            assertThat(read(service, "posts", "viewer_id", "ann").body()).isEqualTo(expected);
            assertThat(read(other, "posts", "viewer_id", "ann", "user_id", "ann").body())
                    .isEqualTo(expected);
        }

        @Test
        void twoDifferentViewersAreOneTooMany() {
            assertViolations(
                    read(service, "posts", "viewer_id", "ann", "user_id", "ben"), "viewer_id");
        }

        @Test
        void theHigherCountComesFirst() {
            given("letters", "ann", "a", "d");
            given("letters", "ben", "d", "e");
            given("letters", "cleo", "d", "e");

            assertThat(counts("letters")).isEqualTo("d 3, e 2, a 1");
        }

        @Test
        void equalCountsAreOrderedByTheFirstReaction() {
            given("letters", "ann", "f", "a", "e", "d");

            assertThat(counts("letters")).isEqualTo("f 1, a 1, e 1, d 1");
        }

        @Test
        void aReactionThatReturnsFromZeroIsListedAsNew() {
            given("letters", "ann", "f", "a");
            assertOk(remove("letters", "ann", "f"));
            given("letters", "ann", "f");

            assertThat(counts("letters")).isEqualTo("a 1, f 1");
        }

        @Test
        void aReactionThatStaysAboveZeroKeepsItsPlace() {
            given("letters", "ann", "f", "a");
            given("letters", "ben", "f");
            assertOk(remove("letters", "ann", "f"));

            assertThat(counts("letters")).isEqualTo("f 1, a 1");
        }

        @Test
        void entitiesOfTwoNamespacesAreTwo() {
            given("letters", "ann", "a");

            assertThat(counts("pairs")).isEmpty();
        }

        @Test
        void anUnknownNamespaceIsNotFound() {
            assertProblem(read(service, "unknown"), 404, "unknown-namespace");
        }
    }

    @Nested
    class Adding {

        @Test
        void isCountedAtOnceOnEitherInstance() {
            assertOk(service.add("letters", entity, "ann", "a"));
            assertOk(other.add("letters", entity, "ben", "a"));

            for (Instance each : List.of(service, other)) {
                assertThat(counts(read(each, "letters").json())).isEqualTo("a 2");
            }
        }

        @Test
        void isStoredInPostgresBeforeItIsAnswered() throws Exception {
            given("letters", "ann", "a");

            assertThat(Rows.of("letters", entity)).containsExactly("ann a");
        }

        @Test
        void theSameAgainIsForbiddenAlsoByForce() {
            given("letters", "ann", "a");

            for (String query : List.of("", "?force=false", "?if_exists=error", "?force=true")) {
                assertRefused(post(query, "letters", "ann", "a"), 403, "reaction-already-exists");
            }
            assertThat(counts("letters")).isEqualTo("a 1");
        }

        @Test
        void anExistingReactionIsAcceptedWithIfExistsOk() {
            given("letters", "ann", "a");

            assertOk(post("?if_exists=ok", "letters", "ann", "a"));
            assertOk(post("?if_exists=ok&force=true", "letters", "ann", "a"));
            assertThat(counts("letters")).isEqualTo("a 1");
        }

        @Test
        void ifExistsOkAddsAMissingReaction() {
            assertOk(post("?if_exists=ok", "letters", "ann", "a"));

            assertThat(counts("letters")).isEqualTo("a 1");
        }

        @Test
        void ifExistsOkDoesNotAllowConflicts() {
            given("letters", "ann", "a");

            assertRefused(
                    post("?if_exists=ok", "letters", "ann", "b"), 403, "conflicting-reaction");
        }

        @Test
        void aRefusalNamesTheConflictingReactions() {
            given("letters", "ann", "a", "c");
            var problem = assertRefused(add("letters", "ann", "b"), 403, "conflicting-reaction");

            assertThat(texts(problem.get("conflicting"))).containsExactlyInAnyOrder("a", "c");
            assertThat(own("letters", "ann")).containsExactly("a", "c");
        }

        @Test
        void othersReactionsDoNotConflict() {
            given("letters", "ann", "a");
            given("letters", "ben", "b");

            assertThat(counts("letters")).isEqualTo("a 1, b 1");
        }

        @Test
        void forceReplacesAllThatConflictsInOneStep() {
            given("letters", "ann", "a", "c", "d");
            given("letters", "ben", "a");

            assertOk(force("letters", "ann", "b"));
            assertThat(own("letters", "ann")).containsExactlyInAnyOrder("b", "d");
            assertThat(counts("letters")).isEqualTo("a 1, d 1, b 1");
        }

        @Test
        void forceWithoutAConflictJustAdds() {
            given("letters", "ann", "d");

            assertOk(force("letters", "ann", "a"));
            assertThat(own("letters", "ann")).containsExactlyInAnyOrder("a", "d");
        }

        @Test
        void oneKindTooManyIsRefusedAndTheLimitIsNamed() {
            given("pairs", "ann", "c", "d");
            var problem = assertRefused(add("pairs", "ben", "e"), 403, "max-uniq-reactions");

            assertThat(problem.get("limit").intValue()).isEqualTo(2);
            assertThat(counts("pairs")).isEqualTo("c 1, d 1");
        }

        @Test
        void aKindThatIsShownNeverFailsOnTheLimit() {
            given("pairs", "ann", "c", "d");
            given("pairs", "ben", "c");

            assertThat(counts("pairs")).isEqualTo("c 2, d 1");
        }

        @Test
        void aKindThatWentMakesRoom() {
            given("pairs", "ann", "c", "d");
            assertOk(remove("pairs", "ann", "c"));
            given("pairs", "ben", "e");

            assertThat(counts("pairs")).isEqualTo("d 1, e 1");
        }

        @Test
        void theLimitIsCheckedAfterTheRemovalsByForce() {
            given("pairs", "ann", "b", "d");

            assertOk(force("pairs", "ann", "a"));
            assertThat(counts("pairs")).isEqualTo("d 1, a 1");
        }

        @Test
        void forceFreesNoPlaceThatAnotherStillHolds() {
            given("pairs", "ann", "b", "d");
            given("pairs", "ben", "b");

            assertRefused(force("pairs", "ann", "a"), 403, "max-uniq-reactions");
            assertThat(own("pairs", "ann")).containsExactly("b", "d");
            assertThat(counts("pairs")).isEqualTo("b 2, d 1");
        }

        @Test
        void aLimitOfZeroRefusesEverything() {
            var problem = assertRefused(add("closed", "ann", "a"), 403, "max-uniq-reactions");

            assertThat(problem.get("limit").intValue()).isZero();
            assertRefused(force("closed", "ann", "a"), 403, "max-uniq-reactions");
            assertThat(counts("closed")).isEmpty();
            assertOk(remove("closed", "ann", "a"));
        }

        @Test
        void aLoweredLimitRemovesNothingAndAdmitsKindsThatAreShown() {
            String namespace = "lowered-" + entity;
            configure(TestRules.shared().namespace(namespace, 3, "a", "b", "c"));
            given(namespace, "ann", "a", "b");
            configure(TestRules.shared().namespace(namespace, 1, "a", "b", "c"));

            assertRefused(add(namespace, "ben", "c"), 403, "max-uniq-reactions");
            given(namespace, "ben", "a", "b");
            assertThat(counts(namespace)).isEqualTo("a 2, b 2");
        }

        @Test
        void aLimitLoweredToZeroAlsoRefusesKindsThatAreShown() {
            String namespace = "zero-" + entity;
            configure(TestRules.shared().namespace(namespace, 1, "a"));
            given(namespace, "ann", "a");
            configure(TestRules.shared().namespace(namespace, 0, "a"));

            assertRefused(add(namespace, "ben", "a"), 403, "max-uniq-reactions");
            assertThat(counts(namespace)).isEqualTo("a 1");
        }

        @Test
        void aNewGroupRemovesNothingThatIsThere() {
            String namespace = "grouped-" + entity;
            configure(TestRules.shared().namespace(namespace, "letters", 6, List.of()));
            given(namespace, "ann", "a", "b");
            configure(
                    TestRules.shared()
                            .namespace(namespace, "letters", 6, List.of(List.of("a", "b", "c"))));

            assertThat(own(namespace, "ann")).containsExactly("a", "b");
            var problem = assertRefused(add(namespace, "ann", "c"), 403, "conflicting-reaction");
            assertThat(texts(problem.get("conflicting"))).containsExactlyInAnyOrder("a", "b");
            assertOk(force(namespace, "ann", "c"));
            assertThat(own(namespace, "ann")).containsExactly("c");
        }

        @Test
        void aReactionOutsideTheSetIsUnknown() {
            assertRefused(add("letters", "ann", "z"), 403, "unknown-reaction");
            assertRefused(add("letters", "ann", "👍"), 403, "unknown-reaction");
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void anUnknownNamespaceIsForbiddenToAWrite() {
            assertRefused(add("unknown", "ann", "a"), 403, "unknown-namespace");
        }
    }

    @Nested
    class Removing {

        @Test
        void takesBackTheUsersOwn() {
            given("letters", "ann", "a", "d");

            assertOk(remove("letters", "ann", "a"));
            assertThat(own("letters", "ann")).containsExactly("d");
            assertThat(counts("letters")).isEqualTo("d 1");
        }

        @Test
        void aRemovalDoesNotAffectTheSameReactionOfAnotherUser() {
            given("letters", "ann", "a");

            assertOk(remove("letters", "ben", "a"));
            assertThat(counts("letters")).isEqualTo("a 1");
            assertThat(own("letters", "ann")).containsExactly("a");
        }

        @Test
        void aRemovalOfAnAbsentReactionChangesNothing() {
            given("letters", "ann", "d");
            String version = text(details("letters"), "version");

            assertOk(remove("letters", "ann", "a"));
            assertOk(remove("letters", "ann", "z"));
            assertThat(text(details("letters"), "version")).isEqualTo(version);
        }

        @Test
        void aRemovalIsNotCheckedAgainstTheRules() {
            assertOk(remove("unknown", "ann", "a"));
            assertOk(remove("letters", "ann", "never heard of"));
        }

        @Test
        void takesItsNamesFromTheQuery() {
            given("letters", "ann", "a");

            assertOk(service.send("DELETE", "/reactions?" + query("a"), null));
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void takesItsNamesFromBothWhenTheyAgree() {
            given("letters", "ann", "a");
            String body = Instance.body("letters", entity, "ann", "a");

            assertOk(service.send("DELETE", "/reactions?" + query("a"), body));
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void takesSomeNamesFromTheQueryAndSomeFromTheBody() {
            given("letters", "ann", "a");

            assertOk(
                    service.send(
                            "DELETE",
                            "/reactions?namespace_id=letters&user_id=ann",
                            "{\"entity_id\":\"%s\",\"reaction_id\":\"a\"}".formatted(entity)));
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void isRefusedWhenQueryAndBodyDisagree() {
            given("letters", "ann", "a");
            String body = Instance.body("letters", entity, "ann", "a");

            assertViolations(
                    service.send("DELETE", "/reactions?" + query("d"), body), "reaction_id");
            assertThat(counts("letters")).isEqualTo("a 1");
        }

        private String query(String reaction) {
            var query = new LinkedHashMap<String, String>();
            query.put("namespace_id", "letters");
            query.put("entity_id", entity);
            query.put("user_id", "ann");
            query.put("reaction_id", reaction);
            return Instance.encode(query);
        }
    }

    /** A reaction that a user has, and that was then removed from the set. */
    @Nested
    class Retired {

        private final String namespace = "retiring-" + entity;

        /** The set is ☠️ and a, with a limit of one; ann has ☠️ when it is removed. */
        Retired() {
            configure(TestRules.shared().reaction("☠️").namespace(namespace, 1, "☠️", "a"));
            given(namespace, "ann", "☠️");
            configure(TestRules.shared().namespace(namespace, 1, "a"));
        }

        @Test
        void staysAndIsShownAsRetiredInItsOldSpelling() {
            var count = details(namespace).at("/reactions_count/0");

            assertThat(text(count, "reaction_id")).isEqualTo("☠️");
            assertThat(count.get("count").longValue()).isEqualTo(1);
            assertThat(count.get("retired").booleanValue()).isTrue();
            assertThat(own(namespace, "ann")).containsExactly("☠️");
        }

        @Test
        void isNotGivenAnyMore() {
            assertRefused(add(namespace, "ben", "☠️"), 403, "unknown-reaction");
        }

        @ParameterizedTest
        @ValueSource(strings = {"☠️", "☠"})
        void canBeTakenBackInAnySpelling(String spelling) {
            assertOk(remove(namespace, "ann", spelling));

            assertThat(counts(namespace)).isEmpty();
            assertThat(own(namespace, "ann")).isEmpty();
        }

        @Test
        void usesNoPlace() {
            given(namespace, "ben", "a");

            assertThat(counts(namespace)).isEqualTo("☠️ 1, a 1");
            assertThat(details(namespace).at("/reactions_count/1").has("retired")).isFalse();
        }

        @Test
        void isNamedAsItWasSpelledInARepresentation() {
            Answer answer = remove(namespace, "ann", "☠", "Prefer", "return=representation");

            assertThat(texts(answer.json().get("removed"))).containsExactly("☠️");
        }

        @Test
        void comesBackWithItsSet() {
            configure(TestRules.shared().reaction("☠️").namespace(namespace, 1, "☠️", "a"));
            given(namespace, "ben", "☠️");

            assertThat(counts(namespace)).isEqualTo("☠️ 2");
            assertThat(details(namespace).at("/reactions_count/0").has("retired")).isFalse();
        }
    }

    @Test
    void twoFirstTimeReactionsAtTheLimitNeverBothPass() {
        for (int round = 0; round < 211; round++) {
            String each = entity + round;
            List<Answer> answers =
                    Together.run(
                            () -> service.add("single", each, "ann", "a"),
                            () -> other.add("single", each, "ben", "b"));

            assertThat(answers.stream().map(Answer::status)).containsExactlyInAnyOrder(200, 403);
            assertThat(answers.get(0).body() + answers.get(1).body())
                    .contains("max-uniq-reactions");
            assertThat(service.read("single", each, null).json().get("reactions_count").size())
                    .isEqualTo(1);
        }
    }

    @Test
    void twoConflictingReactionsOfOneUserNeverBothPass() {
        for (int round = 0; round < 53; round++) {
            String each = entity + round;
            List<Answer> answers =
                    Together.run(
                            () -> service.add("letters", each, "ann", "a"),
                            () -> other.add("letters", each, "ann", "b"));

            assertThat(answers.stream().map(Answer::status)).containsExactlyInAnyOrder(200, 403);
            assertThat(own(service.read("letters", each, "ann").json())).hasSize(1);
        }
    }

    @Test
    void theSameReactionTwiceAtOnceCountsOnce() {
        for (int round = 0; round < 53; round++) {
            String each = entity + round;
            List<Answer> answers =
                    Together.run(
                            () -> service.add("letters", each, "ann", "a"),
                            () -> other.add("letters", each, "ann", "a"));

            assertThat(answers.stream().map(Answer::status)).containsExactlyInAnyOrder(200, 403);
            assertThat(counts(service.read("letters", each, null).json())).isEqualTo("a 1");
        }
    }

    @Test
    void bodiesAreReadAsJsonRegardlessOfTheirContentType() {
        for (String type :
                List.of("application/json", "application/x-www-form-urlencoded", "text/plain")) {
            assertOk(add("letters", "ann", "a", "Content-Type", type));
            assertOk(remove("letters", "ann", "a", "Content-Type", type));
        }
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void pingAndRootReportThatTheServiceIsUp() {
        Answer ping = service.get("/ping");

        assertThat(ping.body()).isEqualTo("pong");
        assertThat(header(ping, "Content-Type")).startsWith("text/plain");
        assertThat(service.get("/").body()).isEqualTo("{\"status\":\"Ok\"}");
    }

    @Test
    void membersThatTheContractDoesNotNameAreIgnored() {
        String json = Instance.body("letters", entity, "ann", "a").replace("{", "{\"new\":[{}],");

        assertOk(service.send("POST", "/reactions", json));
    }
}
