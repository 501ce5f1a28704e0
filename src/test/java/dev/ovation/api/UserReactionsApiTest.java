package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** {@code GET /users/reactions}. */
class UserReactionsApiTest extends ApiFixture {

    private final Lists given = new Lists(service, "/users/reactions", "reactions");
    private final String user = "user of " + entity;

    @Test
    void theNewestComeFirstFromAllNamespaces() {
        given("posts", user, "❤");
        given("letters", user, "a", "d");
        given("letters", "somebody else", "e");
        List<JsonNode> all = given.page("user_id", user);

        assertThat(all.stream().map(UserReactionsApiTest::line))
                .containsExactly("letters d", "letters a", "posts ❤️");
        assertThat(all).allSatisfy(one -> assertThat(text(one, "entity_id")).isEqualTo(entity));
        assertThat(text(all.getFirst(), "reacted_at"))
                .isEqualTo(text(details("letters").at("/reactions_count/1"), "last_reacted_at"));
    }

    @Test
    void aNamespaceMayBeTheOnlyOne() {
        given("posts", user, "❤");
        given("letters", user, "a");

        assertThat(
                        given.page("user_id", user, "namespace_id", "posts").stream()
                                .map(UserReactionsApiTest::line))
                .containsExactly("posts ❤️");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void pagesHoldEachOnceInOrder(String limit) {
        given("posts", user, "❤", "👍");
        given("letters", user, "a", "d", "e");

        assertThat(given.all("user_id", user, "limit", limit))
                .isEqualTo(given.page("user_id", user))
                .hasSize(5);
    }

    @Test
    void aUserWithoutReactionsHasAnEmptyList() {
        assertThat(given.ask("user_id", "never seen " + entity).body())
                .isEqualTo("{\"reactions\":[]}");
    }

    @Test
    void invalidParametersAreReportedByName() {
        assertViolations(given.ask(), "user_id");
        assertViolations(
                given.ask("user_id", "", "namespace_id", "a b", "limit", "x"),
                "user_id",
                "namespace_id",
                "limit");
        assertInvalidCursor(given.ask("user_id", "ann", "cursor", "y"));
        assertProblem(
                given.ask("user_id", "ann", "namespace_id", "no-such"), 404, "unknown-namespace");
    }

    private static String line(JsonNode given) {
        return text(given, "namespace_id") + " " + text(given, "reaction_id");
    }
}
