package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** {@code GET /events}. */
class EventsApiTest extends ApiFixture {

    private final String namespace = "events-" + entity;
    private Events events;

    @BeforeEach
    void aNamespaceAndAConsumerOfItsOwn() {
        configure(TestRules.shared().namespace(namespace, 3, "👍", "👎", "❤️"));
        Wait.until(
                "the other instance has the namespace",
                () -> read(other, namespace).status() == 200);
        events = new Events(other, namespace);
    }

    @Test
    void aChangeSaysWhatItChangedAndTheCountsAfterIt() {
        given(namespace, "ben", "❤️");
        Instant before = Instant.now();
        given(namespace, "ann", "❤️");
        List<JsonNode> read = events.next(2);
        JsonNode event = read.getLast();

        assertThat(text(event, "kind")).isEqualTo("changed");
        assertThat(text(event, "namespace_id")).isEqualTo(namespace);
        assertThat(text(event, "entity_id")).isEqualTo(entity);
        assertThat(text(event, "user_id")).isEqualTo("ann");
        assertThat(texts(event.get("added"))).containsExactly("❤️");
        assertThat(texts(event.get("removed"))).isEmpty();
        assertThat(counts(event)).isEqualTo("❤️ 2");
        assertThat(event.get("total").intValue()).isEqualTo(2);
        assertThat(Instant.parse(text(event, "time")))
                .isBetween(before.minusMillis(1), Instant.now());
        assertThat(text(details(namespace), "version")).startsWith(text(event, "version") + ".");
        assertThat(event.has("first")).isFalse();
        assertThat(read.getFirst().get("first").booleanValue()).isTrue();
    }

    @Test
    void theFirstReactionToALockedEntityIsItsFirstChange() {
        lock("{\"locked\":true}");
        lock("{\"locked\":true,\"reaction_ids\":[\"👍\"]}");
        Map<String, String> all =
                Map.of("namespace_id", namespace, "entity_id", entity, "reaction_id", "👍");
        String removal = "/reactions/all?" + Instance.encode(all);
        Erasures.done(service.port(), service.send("DELETE", removal, null));
        given(namespace, "ann", "👍");
        given(namespace, "ben", "👍");
        lock("{\"locked\":false}");
        given(namespace, "cat", "👎");

        assertThat(events.next(3))
                .extracting(event -> text(event, "user_id") + ' ' + event.has("first"))
                .containsExactly("ann true", "ben false", "cat false");
    }

    /** Such a write has an event, which keeps its answer. */
    @Test
    void aKeyedWriteThatChangesNothingIsNotTheFirstChange() {
        changesNothing("before-the-lock");
        lock("{\"locked\":true}");
        changesNothing("while-locked");
        Hot.evict(namespace, entity);
        lock("{\"locked\":true,\"reaction_ids\":[\"👍\"]}");
        changesNothing("while-partly-locked");
        Map<String, String> all =
                Map.of("namespace_id", namespace, "entity_id", entity, "reaction_id", "👍");
        String removal = "/reactions/all?" + Instance.encode(all);
        Erasures.done(service.port(), service.send("DELETE", removal, null));
        changesNothing("after-a-removal-of-nothing");
        given(namespace, "ann", "👍");
        given(namespace, "ben", "👍");

        assertThat(events.next(2))
                .extracting(event -> text(event, "user_id") + ' ' + event.has("first"))
                .containsExactly("ann true", "ben false");
    }

    private void changesNothing(String key) {
        assertOk(remove(namespace, "ann", "👍", "Idempotency-Key", key));
    }

    @Test
    void theFirstReactionAfterAnImportedRemovalIsTheFirstChange() {
        String removal = "op," + Imports.HEADER + "remove," + row("ann", "👍");
        Imports.run(service, "kind=reactions", removal);
        given(namespace, "ben", "👍");
        given(namespace, "cat", "👍");

        assertThat(events.next(2))
                .extracting(event -> text(event, "user_id") + ' ' + event.has("first"))
                .containsExactly("ben true", "cat false");
    }

    @Test
    void aReactionAfterAnImportedOneOfTime0IsNotTheFirstChange() {
        String given = Imports.HEADER + "%s,%s,ann,👍,0\n".formatted(namespace, entity);
        Imports.run(service, "kind=reactions", given);
        lock("{\"locked\":true}");
        lock("{\"locked\":false}");
        Map<String, String> all =
                Map.of("namespace_id", namespace, "entity_id", entity, "reaction_id", "👍");
        String removal = "/reactions/all?" + Instance.encode(all);
        Erasures.done(service.port(), service.send("DELETE", removal, null));
        given(namespace, "ben", "👍");

        JsonNode event = events.next(3).getLast();
        assertThat(text(event, "user_id")).isEqualTo("ben");
        assertThat(event.has("first")).isFalse();
    }

    private void lock(String body) {
        assertOk(lock(namespace, entity, body));
    }

    @Test
    void aReplacedReactionIsOneChange() {
        given(namespace, "ann", "👍");
        assertOk(remove(namespace, "ann", "👎"));
        Answer set =
                service.send(
                        "PUT",
                        "/reactions",
                        Instance.setBody(namespace, entity, "ann", List.of("👎", "❤️")));
        assertThat(set.status()).as(set.body()).isEqualTo(200);
        JsonNode event = events.next(2).getLast();

        assertThat(texts(event.get("added"))).containsExactlyInAnyOrder("👎", "❤️");
        assertThat(texts(event.get("removed"))).containsExactly("👍");
        assertThat(counts(event)).contains("👍 0", "👎 1", "❤️ 1");
        assertThat(event.get("total").intValue()).isEqualTo(2);
    }

    @Test
    void aReaderWaitsForTheNextChange() {
        CompletableFuture<List<JsonNode>> page = Together.meanwhile(() -> events.page(30));
        given(namespace, "ann", "👍");

        assertThat(page.join()).hasSize(1);
    }

    @Test
    void aReaderThatWasAwayContinuesAtItsCursor() {
        String away = events.cursor();
        for (int i = 0; i < 20; i++) {
            given(namespace, "user" + i, "👍");
        }
        var again = new ArrayList<JsonNode>(events.next(20));
        Answer page = events.ask(away, 0);

        assertThat(again).extracting(event -> text(event, "user_id")).hasSize(20);
        assertThat(page.json().get("events").valueStream()).isEqualTo(again.subList(0, 7));
    }

    /** Writers of both instances change few entities, while a reader follows. */
    @Test
    void eachChangeIsReadOnceAndInTheOrderOfItsEntity() {
        int rounds = 25;
        var entities = IntStream.range(0, 4).mapToObj(i -> entity + i).toList();
        var writers =
                IntStream.range(0, 6)
                        .mapToObj(
                                writer -> Together.meanwhile(() -> write(writer, rounds, entities)))
                        .toList();
        var read = new ArrayList<JsonNode>();
        while (!writers.stream().allMatch(CompletableFuture::isDone)) {
            read.addAll(events.page(1));
        }
        int written = writers.stream().mapToInt(CompletableFuture::join).sum();
        read.addAll(events.rest());

        assertThat(new HashSet<>(read.stream().map(event -> text(event, "id")).toList()))
                .hasSize(written);
        assertThat(read).hasSize(written);
        var versions = new HashMap<String, String>();
        var counts = new TreeMap<String, Map<String, Long>>();
        for (JsonNode event : read) {
            String of = text(event, "entity_id");
            String version = text(event, "version");
            String earlier = versions.put(of, version);
            assertThat(version).isGreaterThan(earlier == null ? "" : earlier);
            event.get("reactions_count")
                    .forEach(
                            count ->
                                    counts.computeIfAbsent(of, _ -> new TreeMap<>())
                                            .put(
                                                    text(count, "reaction_id"),
                                                    count.get("count").longValue()));
        }
        for (String of : entities) {
            counts.getOrDefault(of, new TreeMap<>()).values().removeIf(count -> count == 0);
            assertThat(stored(of)).isEqualTo(counts.getOrDefault(of, Map.of()));
        }
    }

    private int write(int writer, int rounds, List<String> entities) {
        Instance instance = writer % 2 == 0 ? service : other;
        for (int i = 0; i < rounds; i++) {
            String of = entities.get((writer + i) % entities.size());
            String reaction = i % 3 == 0 ? "👍" : "👎";
            assertOk(instance.add(namespace, of, "user" + writer + "-" + i, reaction));
            if (i % 5 == 0) {
                assertOk(instance.remove(namespace, of, "user" + writer + "-" + i, reaction));
            }
        }
        return rounds + (rounds + 4) / 5;
    }

    private Map<String, Long> stored(String of) {
        var counts = new TreeMap<String, Long>();
        service.read(namespace, of, "ann")
                .json()
                .get("reactions_count")
                .forEach(
                        count ->
                                counts.put(
                                        text(count, "reaction_id"),
                                        count.get("count").longValue()));
        return counts;
    }

    @Test
    void anErasedUserLeavesTheLogAndIsAnnounced() {
        String user = "erased-" + entity;
        var all = new Events(other, "");
        String before = all.cursor();
        given(namespace, user, "👍");
        given(namespace, "ben", "👍");
        Erasures.user(service, user);

        List<JsonNode> read = all.rest().stream().filter(each -> isOf(each, user)).toList();
        assertThat(read).hasSize(4);
        assertThat(read.get(0).has("user_id")).as("was removed from it").isFalse();
        assertThat(text(read.get(1), "user_id")).isEqualTo("ben");
        JsonNode erased = read.get(2);
        assertThat(text(erased, "kind")).isEqualTo("erased");
        assertThat(text(erased, "user_id")).isEqualTo(user);
        assertThat(texts(erased.get("removed"))).containsExactly("👍");
        assertThat(counts(erased)).isEqualTo("👍 1");
        assertThat(text(details(namespace), "version")).startsWith(text(erased, "version") + ".");
        assertThat(read.get(3).has("entity_id")).isFalse();
        assertThat(text(read.get(3), "kind")).isEqualTo("erased");
        assertThat(before).isNotEqualTo(all.cursor());
    }

    private boolean isOf(JsonNode event, String user) {
        return event.path("entity_id").asString("").equals(entity)
                || event.path("user_id").asString("").equals(user);
    }

    @Test
    void theErasureOfAnEntityIsAnnounced() {
        given(namespace, "ann", "👍");
        given(namespace, "ben", "👎");
        Erasures.entity(service, namespace, entity);
        JsonNode erased = events.next(3).getLast();

        assertThat(text(erased, "kind")).isEqualTo("erased");
        assertThat(erased.has("user_id")).isFalse();
        assertThat(counts(erased)).contains("👍 0", "👎 0");
        assertThat(erased.get("total").intValue()).isZero();
    }

    @Test
    void anImportIsAChangeOfEachEntity() {
        given(namespace, "ann", "👍");
        Imports.run(
                service,
                "kind=reactions",
                Imports.HEADER + row("u1", "👍") + row("u2", "👍") + row("u3", "👎"));
        JsonNode event = events.next(2).getLast();

        assertThat(text(event, "kind")).isEqualTo("changed");
        assertThat(event.has("user_id")).isFalse();
        assertThat(counts(event)).contains("👍 3", "👎 1");
        assertThat(event.get("total").intValue()).isEqualTo(4);
        assertThat(event.has("first")).isFalse();
    }

    @Test
    void hiddenReactionsLeaveAndReturnAsChangesOfTheirUser() {
        String user = "hidden-" + entity;
        given(namespace, user, "👍");
        String ban = "/users/ban?user_id=" + user;
        String[] json = {"Content-Type", "application/json"};
        assertThat(service.send("PUT", ban, "{\"reactions\":\"hide\"}", json).status())
                .isEqualTo(202);
        JsonNode hidden = events.next(2).getLast();
        assertThat(service.send("DELETE", ban, null).status()).isIn(200, 202);
        JsonNode returned = events.next(1).getLast();

        for (JsonNode event : List.of(hidden, returned)) {
            assertThat(text(event, "kind")).isEqualTo("changed");
            assertThat(text(event, "user_id")).isEqualTo(user);
        }
        assertThat(texts(hidden.get("removed"))).containsExactly("👍");
        assertThat(texts(hidden.get("added"))).isEmpty();
        assertThat(hidden.get("total").intValue()).isZero();
        assertThat(texts(returned.get("added"))).containsExactly("👍");
        assertThat(texts(returned.get("removed"))).isEmpty();
        assertThat(counts(returned)).isEqualTo("👍 1");
    }

    private String row(String user, String reaction) {
        return "%s,%s,%s,%s,1000\n".formatted(namespace, entity, user, reaction);
    }

    @Test
    void aKeyForSomeNamespacesReadsTheirChangesOnly(@TempDir Path folder) {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        String key =
                keys.add("consumer", "scopes: [events:read]", "namespaces: [" + namespace + "]");
        String all = keys.add("all", "scopes: [events:read, operate]");
        try (Instance guarded =
                TwoInstances.beside("ovation.access.keys=" + keys.file())
                        .attached("X-Api-Key", all)) {
            var own = new Events(guarded, "", "X-Api-Key", key);
            given("posts", "ann", "👍");
            given(namespace, "ann", "👍");

            assertThat(own.next(1))
                    .extracting(event -> text(event, "namespace_id"))
                    .containsExactly(namespace);
            Answer refused =
                    guarded.send("GET", "/events?namespace_id=posts", null, "X-Api-Key", key);
            var _ = assertProblem(refused, 403, "forbidden");
        }
    }

    @Test
    void aCursorOfAnotherQueryIsInvalid() {
        assertInvalidCursor(new Events(service, "").ask(events.cursor(), 0));
        assertInvalidCursor(events.ask("x", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "wait=31, wait",
        "wait=-1, wait",
        "limit=201, limit",
        "namespace_id=a:b, namespace_id"
    })
    void aMalformedQueryIsRefused(String query, String field) {
        assertViolations(Instance.sendTo(service.port(), "GET", "/events?" + query, null), field);
    }
}
