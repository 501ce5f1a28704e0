package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.TestRules;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** {@code GET /entities/top}. */
class RankingApiTest extends ApiFixture {

    private final Lists top = new Lists(other, "/entities/top", "entities");
    private final String namespace = "top-" + entity;

    @BeforeEach
    void aNamespaceOfItsOwn() {
        configure(TestRules.shared().namespace(namespace, 3, "a", "b", "❤️"));
    }

    @Test
    void theHighestCountsComeFirst() {
        give("one", "ann", "a");
        give("three", "ann", "a", "b");
        give("three", "ben", "❤️");
        give("two", "ann", "b");
        give("two", "ben", "b");

        awaitTop("three 3", "two 2", "one 1");
        awaitTop("b", "two 2", "three 1");
        awaitTop("❤", "three 1");
    }

    @Test
    void removedReactionsLeaveTheRanking() {
        give("one", "ann", "a");
        give("two", "ann", "a");
        give("two", "ben", "a");
        awaitTop("two 2", "one 1");
        assertOk(service.remove(namespace, "two", "ann", "a"));
        assertOk(service.remove(namespace, "two", "ben", "a"));

        awaitTop("one 1");
        awaitTop("a", "one 1");
    }

    @Test
    void pagesContinueByCursor() {
        for (int i = 1; i <= 7; i++) {
            for (int user = 0; user < (i + 1) / 2; user++) {
                give("entity" + i, "user" + user, "a");
            }
        }
        String[] expected = {
            "entity7 4",
            "entity6 3",
            "entity5 3",
            "entity4 2",
            "entity3 2",
            "entity2 1",
            "entity1 1"
        };

        awaitTop(expected);
        assertThat(lines(top.all("namespace_id", namespace, "limit", "3")))
                .containsExactly(expected);
    }

    /** The ranking includes each change that was acknowledged before that time. */
    @Test
    void asOfIsTrue() {
        give("one", "ann", "a");
        Instant acknowledged = Instant.now();
        Wait.until("as_of passes", () -> asOf().isAfter(acknowledged));

        assertThat(lines(top.page("namespace_id", namespace))).containsExactly("one 1");
    }

    @Test
    void invalidParametersAreReportedByName() {
        assertViolations(top.ask(), "namespace_id");
        assertViolations(
                top.ask("namespace_id", "a b", "reaction_id", "x".repeat(257), "limit", "0"),
                "namespace_id",
                "reaction_id",
                "limit");
        assertInvalidCursor(top.ask("namespace_id", "letters", "cursor", "x"));
        assertProblem(top.ask("namespace_id", "no-such"), 404, "unknown-namespace");
    }

    private void give(String each, String user, String... reactions) {
        for (String reaction : reactions) {
            assertOk(service.add(namespace, each, user, reaction));
        }
    }

    private Instant asOf() {
        return Instant.parse(text(top.ask("namespace_id", namespace).json(), "as_of"));
    }

    private void awaitTop(String... expected) {
        String first = expected[0];
        boolean filtered = !first.contains(" ");
        String[] query =
                filtered
                        ? new String[] {"namespace_id", namespace, "reaction_id", first}
                        : new String[] {"namespace_id", namespace};
        List<String> wanted = Stream.of(expected).skip(filtered ? 1 : 0).toList();
        Wait.until("the top is " + wanted, () -> lines(top.page(query)).equals(wanted));
    }

    private static List<String> lines(List<JsonNode> entities) {
        return entities.stream()
                .map(each -> text(each, "entity_id") + " " + each.get("count").longValue())
                .toList();
    }
}
