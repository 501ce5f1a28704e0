package dev.ovation.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The contract of adding, removing and constraints, for every way to store reactions. */
abstract class ReactionsContract {

    String entity;

    @BeforeEach
    final void anEntityOfItsOwn() {
        entity = UUID.randomUUID().toString();
    }

    /** Port of the service, which has the rules of {@code TestRules.shared()}. */
    abstract int port();

    /** Returns when readers see all acknowledged changes. */
    void settle() {}

    /** Reactions on this test's entity, counted from the rows in Postgres. */
    abstract Map<String, Long> recount(String namespace);

    @Nested
    class Reading {

        @Test
        void anUntouchedEntityHasEmptyLists() {
            assertThat(read("letters", "ann").toString())
                    .isEqualTo(
                            "{\"entity_id\":\"%s\",\"reactions_count\":[],".formatted(entity)
                                    + "\"user_reactions\":{\"user_id\":\"ann\",\"reactions\":[]}}");
        }

        @Test
        void theHigherCountComesFirst() {
            given("letters", "ann", "d", "a", "e");
            given("letters", "ben", "d", "e");
            given("letters", "cleo", "d");

            settle();
            assertThat(read("letters", "ben").get("reactions_count").toString())
                    .isEqualTo(
                            "[{\"reaction_id\":\"d\",\"count\":3},"
                                    + "{\"reaction_id\":\"e\",\"count\":2},"
                                    + "{\"reaction_id\":\"a\",\"count\":1}]");
        }

        @Test
        void withoutAUserThereAreNoUserReactions() {
            given("letters", "ann", "a");

            assertThat(read("letters", null).has("user_reactions")).isFalse();
        }

        @Test
        void entitiesOfTwoNamespacesAreTwo() {
            given("letters", "ann", "a");

            assertThat(counts("pairs")).isEmpty();
        }

        @Test
        void anUnknownNamespaceIsNotFound() {
            Answer answer = get("unknown", "ann");

            assertThat(answer.status()).isEqualTo(404);
            assertThat(code(answer)).isEqualTo("unknown-namespace");
        }
    }

    @Nested
    class Adding {

        @Test
        void countsUsers() {
            given("letters", "ann", "a", "d");
            given("letters", "ben", "a");

            assertThat(counts("letters")).isEqualTo(Map.of("a", 2L, "d", 1L));
            assertThat(own("letters", "ann")).containsExactlyInAnyOrder("a", "d");
            assertThat(recount("letters")).isEqualTo(Map.of("a", 2L, "d", 1L));
        }

        @Test
        void theSameAgainIsForbiddenAlsoByForce() {
            given("letters", "ann", "a");

            for (String query : List.of("", "?if_exists=error", "?force=true")) {
                assertRefused(add(query, "letters", "ann", "a"), "reaction-already-exists");
            }
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L));
        }

        @Test
        void ifExistsOkAcceptsAnExistingReaction() {
            given("letters", "ann", "a");

            assertOk(add("?if_exists=ok", "letters", "ann", "a"));
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L));
        }

        @Test
        void conflictingReactionsAreNamed() {
            given("letters", "ann", "a", "c");
            var answer = add("?if_exists=ok", "letters", "ann", "b");

            assertRefused(answer, "conflicting-reaction");
            assertThat(texts(answer.json().get("conflicting"))).containsExactlyInAnyOrder("a", "c");
            assertThat(own("letters", "ann")).containsExactlyInAnyOrder("a", "c");
        }

        @Test
        void othersReactionsDoNotConflict() {
            given("letters", "ann", "a");
            given("letters", "ben", "b");

            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L, "b", 1L));
        }

        @Test
        void forceReplacesAllThatConflicts() {
            given("letters", "ann", "a", "c", "d");
            given("letters", "ben", "a");

            assertOk(add("?force=true", "letters", "ann", "b"));
            assertThat(own("letters", "ann")).containsExactlyInAnyOrder("b", "d");
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L, "b", 1L, "d", 1L));
        }

        @Test
        void oneKindTooManyIsRefused() {
            given("pairs", "ann", "c", "d");
            var answer = add("?force=true", "pairs", "ben", "e");

            assertRefused(answer, "max-uniq-reactions");
            assertThat(answer.json().get("limit").intValue()).isEqualTo(2);
            assertThat(counts("pairs")).isEqualTo(Map.of("c", 1L, "d", 1L));
        }

        @Test
        void aKindThatIsShownNeverFailsOnTheLimit() {
            given("pairs", "ann", "c", "d");
            given("pairs", "ben", "c");

            assertThat(counts("pairs")).isEqualTo(Map.of("c", 2L, "d", 1L));
        }

        @Test
        void theLimitIsCheckedAfterForcedRemovals() {
            given("pairs", "ann", "b", "d");

            assertOk(add("?force=true", "pairs", "ann", "a"));
            assertThat(counts("pairs")).isEqualTo(Map.of("a", 1L, "d", 1L));
        }

        @Test
        void forceThatIsRefusedRemovesNothing() {
            given("pairs", "ann", "b", "d");
            given("pairs", "ben", "b");

            assertRefused(add("?force=true", "pairs", "ann", "a"), "max-uniq-reactions");
            assertThat(own("pairs", "ann")).containsExactlyInAnyOrder("b", "d");
            assertThat(counts("pairs")).isEqualTo(Map.of("b", 2L, "d", 1L));
        }

        @Test
        void aLimitOfZeroRefusesEverything() {
            assertRefused(add("", "closed", "ann", "a"), "max-uniq-reactions");
        }

        @Test
        void anUnknownReactionOrNamespaceIsRefused() {
            assertRefused(add("", "letters", "ann", "👍"), "unknown-reaction");
            assertRefused(add("", "unknown", "ann", "a"), "unknown-namespace");
        }

        @Test
        void aReactionIsTheSameInEverySpelling() {
            given("posts", "ann", "❤");

            assertRefused(add("", "posts", "ann", "❤️"), "reaction-already-exists");
            assertThat(counts("posts")).isEqualTo(Map.of("❤️", 1L));
        }
    }

    @Nested
    class Removing {

        @Test
        void takesBackOnesOwnAlone() {
            given("letters", "ann", "a", "d");
            given("letters", "ben", "a");

            assertOk(remove("letters", "ann", "a"));
            assertThat(own("letters", "ann")).containsExactly("d");
            assertThat(own("letters", "ben")).containsExactly("a");
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L, "d", 1L));
        }

        @Test
        void removingAnAbsentReactionChangesNothing() {
            given("letters", "ann", "a");

            assertOk(remove("letters", "ben", "a"));
            assertOk(remove("letters", "ann", "d"));
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L));
        }

        @Test
        void twiceRemovesOnce() {
            given("letters", "ann", "a");
            given("letters", "ben", "a");

            assertOk(remove("letters", "ann", "a"));
            assertOk(remove("letters", "ann", "a"));
            assertThat(counts("letters")).isEqualTo(Map.of("a", 1L));
        }

        @Test
        void ofNothingAtAllIsFine() {
            assertOk(remove("letters", "ann", "a"));

            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void makesRoomForAnotherKind() {
            given("pairs", "ann", "c", "d");
            assertOk(remove("pairs", "ann", "c"));
            given("pairs", "ben", "e");

            assertThat(counts("pairs")).isEqualTo(Map.of("d", 1L, "e", 1L));
        }
    }

    void given(String namespace, String user, String... reactions) {
        for (String reaction : reactions) {
            assertOk(add("", namespace, user, reaction));
        }
    }

    Answer add(String query, String namespace, String user, String reaction) {
        String body = Instance.body(namespace, entity, user, reaction);
        return Instance.sendTo(port(), "POST", "/reactions" + query, body);
    }

    Answer remove(String namespace, String user, String reaction) {
        String body = Instance.body(namespace, entity, user, reaction);
        return Instance.sendTo(port(), "DELETE", "/reactions", body);
    }

    private Answer get(String namespace, String user) {
        var query = new LinkedHashMap<String, String>();
        query.put("namespace_id", namespace);
        query.put("entity_id", entity);
        if (user != null) {
            query.put("user_id", user);
        }
        return Instance.sendTo(port(), "GET", "/reactions?" + Instance.encode(query), null);
    }

    private JsonNode read(String namespace, String user) {
        Answer answer = get(namespace, user);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    /** Counts as readers see them after {@link #settle}. */
    Map<String, Long> counts(String namespace) {
        settle();
        return shown(namespace);
    }

    /** Counts as readers see them now. */
    Map<String, Long> shown(String namespace) {
        return read(namespace, null)
                .get("reactions_count")
                .valueStream()
                .collect(
                        toMap(
                                each -> each.get("reaction_id").stringValue(),
                                each -> each.get("count").longValue()));
    }

    List<String> own(String namespace, String user) {
        return texts(read(namespace, user).at("/user_reactions/reactions"));
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }

    static void assertOk(Answer answer) {
        assertThat(answer.body()).isEqualTo("{\"status\":\"ok\"}");
    }

    static void assertRefused(Answer answer, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(code(answer)).isEqualTo(code);
    }

    static String code(Answer answer) {
        return answer.json().get("code").stringValue();
    }
}
