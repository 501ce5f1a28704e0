package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code GET /reactions/users}. */
class ReactorsApiTest extends ApiFixture {

    private final Lists reactors = new Lists(service, "/reactions/users", "users");
    private final String viewer = "viewer of " + entity;

    @Test
    void aUserComesOncePlacedByTheNewestReaction() {
        given("letters", "ann", "a");
        given("letters", "ben", "d");
        given("letters", "cat", "a");
        given("letters", "ann", "d", "e");

        assertThat(lines(list())).containsExactly("ann e d a", "cat a", "ben d");
        assertThat(lines(list("order", "oldest"))).containsExactly("ben d", "cat a", "ann e d a");
    }

    @Test
    void aFilteredListShowsAndOrdersByThatReactionOnly() {
        given("letters", "ann", "a");
        given("letters", "ben", "d");
        given("letters", "cat", "a");
        given("letters", "ann", "d");

        assertThat(lines(list("reaction_id", "a"))).containsExactly("cat a", "ann a");
        assertThat(lines(list("reaction_id", "d"))).containsExactly("ann d", "ben d");
        assertThat(list("reaction_id", "f")).isEmpty();
        assertThat(list("reaction_id", "never heard of")).isEmpty();
    }

    @Test
    void aReactorIsListedWithNameSpellingAndTime() {
        given("posts", "ann " + entity, "❤");
        named("ann " + entity, "Ann \"the\" <first> 👩‍💻");
        JsonNode ann = reactors.page("namespace_id", "posts", "entity_id", entity).getFirst();

        assertThat(text(ann, "user_id")).isEqualTo("ann " + entity);
        assertThat(text(ann, "display_name")).isEqualTo("Ann \"the\" <first> 👩‍💻");
        assertThat(text(ann.at("/reactions/0"), "reaction_id")).isEqualTo("❤️");
        assertThat(text(ann.at("/reactions/0"), "reacted_at"))
                .isEqualTo(text(details("posts").at("/reactions_count/0"), "last_reacted_at"));
        assertThat(ann.has("friend")).isFalse();
    }

    @Test
    void aReactorWithoutANameHasNoDisplayName() {
        given("letters", "nameless", "a");

        assertThat(list().getFirst().has("display_name")).isFalse();
    }

    @Test
    void anUntouchedEntityHasNoReactors() {
        var answer = reactors.ask("namespace_id", "letters", "entity_id", TestRules.ODD + entity);

        assertThat(answer.body()).isEqualTo("{\"users\":[]}");
    }

    @Test
    void usersWithoutRemainingReactionsAreNotListed() {
        given("letters", "ann", "a");
        given("letters", "ben", "a");
        assertOk(remove("letters", "ann", "a"));

        assertThat(lines(list())).containsExactly("ben a");
    }

    @Test
    void aRetiredReactionIsListedInItsLastSpelling() {
        String namespace = "lists-" + entity;
        configure(TestRules.shared().reaction("☠️").namespace(namespace, 2, "☠️", "a"));
        given(namespace, "ann", "☠️", "a");
        configure(TestRules.shared().namespace(namespace, 2, "a"));

        assertThat(lines(reactors.page("namespace_id", namespace, "entity_id", entity)))
                .containsExactly("ann a ☠️");
        assertThat(
                        lines(
                                reactors.page(
                                        "namespace_id",
                                        namespace,
                                        "entity_id",
                                        entity,
                                        "reaction_id",
                                        "☠")))
                .containsExactly("ann ☠️");
    }

    @ParameterizedTest
    @CsvSource({"newest, 1", "newest, 4", "oldest, 3", "oldest, 13", "newest, 14"})
    void pagesHoldEachReactorOnceInOrder(String order, String limit) {
        crowd(13);
        List<String> expected = lines(list("order", order, "limit", "200"));
        List<JsonNode> paged =
                reactors.all(
                        "namespace_id",
                        "letters",
                        "entity_id",
                        entity,
                        "order",
                        order,
                        "limit",
                        limit);

        assertThat(expected).hasSize(13);
        assertThat(lines(paged)).isEqualTo(expected);
    }

    @Test
    void friendsComeFirstEachPartNewestFirst() {
        crowd(9);
        friends("user2", "user5", "user6", "not here");

        assertThat(users(list("viewer_id", viewer, "friends", "first")))
                .containsExactly(
                        "user6!", "user5!", "user2!", "user8", "user7", "user4", "user3", "user1",
                        "user0");
        assertThat(users(list("viewer_id", viewer, "friends", "only")))
                .containsExactly("user6!", "user5!", "user2!");
        assertThat(users(list("viewer_id", viewer, "friends", "first", "order", "oldest")))
                .startsWith("user2!", "user5!", "user6!", "user0", "user1", "user3");
        assertThat(users(list("viewer_id", viewer)))
                .startsWith("user8", "user7", "user6!", "user5!", "user4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3", "4", "8", "9"})
    void oneCursorLeadsThroughFriendsAndOthers(String limit) {
        crowd(9);
        friends("user2", "user5", "user6");
        List<JsonNode> paged =
                reactors.all(
                        "namespace_id",
                        "letters",
                        "entity_id",
                        entity,
                        "viewer_id",
                        viewer,
                        "friends",
                        "first",
                        "limit",
                        limit);

        assertThat(users(paged))
                .isEqualTo(users(list("viewer_id", viewer, "friends", "first")))
                .hasSize(9);
    }

    @Test
    void aFilterHoldsForFriendsToo() {
        crowd(9);
        friends("user2", "user5", "user6");

        assertThat(users(list("viewer_id", viewer, "friends", "first", "reaction_id", "a")))
                .containsExactly("user6!", "user2!", "user8", "user4", "user0");
    }

    @Test
    void invalidParametersAreReportedByName() {
        assertViolations(reactors.ask(), "namespace_id", "entity_id");
        assertViolations(
                reactors.ask(
                        "namespace_id",
                        "a b",
                        "entity_id",
                        "",
                        "order",
                        "best",
                        "friends",
                        "last",
                        "limit",
                        "201"),
                "namespace_id",
                "entity_id",
                "order",
                "friends",
                "viewer_id",
                "limit");
        for (String limit : List.of("0", "-1", "1.5", "", "99999999999")) {
            assertViolations(
                    reactors.ask("namespace_id", "letters", "entity_id", "x", "limit", limit),
                    "limit");
        }
    }

    @Test
    void anUnknownNamespaceIs404() {
        assertProblem(
                reactors.ask("namespace_id", "no-such", "entity_id", "x"),
                404,
                "unknown-namespace");
    }

    @Test
    void aCursorServesItsOwnQuestionOnly() {
        crowd(3);
        String cursor =
                Lists.cursor(
                        reactors.ask("namespace_id", "letters", "entity_id", entity, "limit", "1"));

        assertThat(list("cursor", cursor, "limit", "7")).hasSize(2);
        assertInvalidCursor(ask("cursor", cursor, "order", "oldest"));
        assertInvalidCursor(ask("cursor", cursor, "reaction_id", "a"));
        assertInvalidCursor(ask("cursor", cursor, "viewer_id", viewer));
        assertInvalidCursor(ask("cursor", cursor.substring(1)));
        assertInvalidCursor(ask("cursor", cursor + "AA"));
        assertInvalidCursor(
                reactors.ask("namespace_id", "letters", "entity_id", "x", "cursor", cursor));
        assertViolations(ask("cursor", "x", "limit", "0"), "limit");
    }

    /** Users 0, 2, 4 … have a, users 1, 5, 9 … d, the others e. */
    private void crowd(int n) {
        for (int i = 0; i < n; i++) {
            given("letters", "user" + i, i % 4 == 1 ? "d" : i % 2 == 0 ? "a" : "e");
        }
    }

    private void named(String user, String name) {
        String path = "/users?" + Instance.encode(Map.of("user_id", user));
        String body = "{\"display_name\":\"" + name.replace("\"", "\\\"") + "\"}";
        assertOk(service.send("PUT", path, body));
    }

    private void friends(String... friends) {
        for (String friend : friends) {
            var pair = Map.of("user_id", viewer, "friend_id", friend);
            assertOk(service.send("PUT", "/users/friends?" + Instance.encode(pair), null));
        }
    }

    private Instance.Answer ask(String... more) {
        return reactors.ask(
                Stream.concat(
                                Stream.of("namespace_id", "letters", "entity_id", entity),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private List<JsonNode> list(String... more) {
        return reactors.items(ask(more));
    }

    /** Lines such as {@code ann e d a}. */
    private static List<String> lines(List<JsonNode> users) {
        return users.stream()
                .map(
                        user ->
                                text(user, "user_id")
                                        + user.get("reactions")
                                                .valueStream()
                                                .map(each -> " " + text(each, "reaction_id"))
                                                .collect(Collectors.joining()))
                .toList();
    }

    /** The users, with a suffix for friends. */
    private static List<String> users(List<JsonNode> users) {
        return users.stream()
                .map(user -> text(user, "user_id") + (user.has("friend") ? "!" : ""))
                .toList();
    }
}
