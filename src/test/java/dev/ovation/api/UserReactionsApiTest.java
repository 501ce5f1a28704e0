package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.TwoInstances;

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
    @ValueSource(strings = {"1", "2", "3", "4", "5"})
    void pagesHoldEachOnceAlsoThoseOfTheSameInstant(String limit) throws Exception {
        String imported =
                """
                insert into user_reaction
                select 'letters', e, '%1$s', r, 1700000000000000
                from   unnest('{%2$s-1,%2$s-2}'::text[]) e, unnest('{a,d}'::text[]) r
                union all
                select 'posts', '%2$s', '%1$s', '👍', 1700000000000000
                """;
        try (var connection = TwoInstances.database();
                var statement = connection.createStatement()) {
            statement.execute(imported.formatted(user, entity));
        }

        assertThat(given.all("user_id", user, "limit", limit)).doesNotHaveDuplicates().hasSize(5);
    }

    @Test
    void whoReactedToNothingHasAnEmptyList() {
        assertThat(given.ask("user_id", "never seen " + entity).body())
                .isEqualTo("{\"reactions\":[]}");
    }

    @Test
    void whatIsWrongIsNamed() {
        assertViolations(given.ask(), "user_id");
        assertViolations(
                given.ask("user_id", "", "namespace_id", "a b", "limit", "x", "cursor", "y"),
                "user_id",
                "namespace_id",
                "limit",
                "cursor");
        assertProblem(
                given.ask("user_id", "ann", "namespace_id", "no-such"), 404, "unknown-namespace");
    }

    private static String line(JsonNode given) {
        return text(given, "namespace_id") + " " + text(given, "reaction_id");
    }
}
