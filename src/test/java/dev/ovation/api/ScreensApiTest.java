package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@code POST /reactions/query}. */
class ScreensApiTest extends ApiFixture {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String NEVER_SEEN = "never seen " + TestRules.ODD;

    @Test
    void entitiesComeInTheOrderAskedAsASingleReadGivesThem() {
        given("letters", "ann", "a", "d");
        String second = more("letters", "ben", "b");
        Answer screen = ask(null, List.of(second, entity, NEVER_SEEN));

        assertThat(screen.body())
                .isEqualTo(
                        "{\"entities\":["
                                + Stream.of(second, entity, NEVER_SEEN)
                                        .map(each -> service.read("letters", each, null).body())
                                        .collect(Collectors.joining(","))
                                + "]}");
    }

    @Test
    void aViewerSeesTheirOwnReactions() {
        given("letters", "ann", "a", "d");
        String second = more("letters", "ann", "b");
        JsonNode screen = entities(ask("ann", List.of(entity, second, NEVER_SEEN)));

        assertThat(own(screen.get(0))).containsExactly("a", "d");
        assertThat(own(screen.get(1))).containsExactly("b");
        assertThat(own(screen.get(2))).isEmpty();
        assertThat(text(screen.get(2).get("user_reactions"), "user_id")).isEqualTo("ann");
    }

    @Test
    void ownChangesAreSeenAtOnce() {
        for (int round = 0; round < 7; round++) {
            given("letters", "user" + round, "a");
            JsonNode screen = entities(ask("user" + round, List.of(entity)));

            assertThat(own(screen.get(0))).containsExactly("a");
            assertThat(counts(screen.get(0))).isEqualTo("a " + (round + 1));
        }
    }

    @Test
    void anInstanceShowsItsOwnChangesToAllClientsAtOnce() {
        for (int round = 1; round <= 7; round++) {
            given("letters", "user" + round, "a");

            assertThat(counts(entities(ask(null, List.of(entity))).get(0))).isEqualTo("a " + round);
            assertThat(counts("letters")).isEqualTo("a " + round);
        }
    }

    @Test
    void aClientIsNeverShownAnOlderVersionThanItHas() {
        for (int round = 1; round <= 7; round++) {
            ask(null, List.of(entity));
            assertOk(other.add("letters", entity, "user" + round, "a"));
            String version = text(read(other, "letters", "details", "true").json(), "version");
            JsonNode shown = entities(ask(null, List.of(item(version)))).get(0);

            assertThat(shown.get("unchanged").booleanValue()).isTrue();
            assertThat(text(shown, "version")).isEqualTo(version);
        }
    }

    @Test
    void onlyTheSameViewerIsAnsweredUnchanged() {
        given("letters", "ann", "a");
        String version =
                text(
                        read(service, "letters", "user_id", "ann", "details", "true").json(),
                        "version");

        assertThat(isUnchanged("letters", "ann", version)).isTrue();
        assertThat(isUnchanged("letters", "ben", version)).isFalse();
        assertThat(isUnchanged("letters", null, version)).isFalse();
    }

    @Test
    void anEntityShownDifferentlyByNewRulesIsNotUnchanged() {
        String own = "own-" + entity;
        configure(TestRules.shared().reaction("☕").namespace(own, 6, "☕", "a"));
        given(own, "ann", "☕");
        String version = text(details(own), "version");

        configure(TestRules.shared().reaction("☕").namespace(own, 5, "☕", "a"));
        assertThat(isUnchanged(own, null, version)).as("by another limit").isTrue();
        configure(TestRules.shared().reaction("☕\uFE0F").namespace(own, 5, "☕\uFE0F", "a"));
        assertThat(isUnchanged(own, null, version)).as("by another spelling").isFalse();
        version = text(details(own), "version");
        configure(TestRules.shared().reaction("☕\uFE0F").namespace(own, 5, "a"));
        assertThat(isUnchanged(own, null, version)).as("when it is retired").isFalse();
        configure(TestRules.shared());
    }

    @Test
    void aScreenIsShownByOneVersionOfTheRules() {
        String before = "before-" + entity;
        String after = "after-" + entity;
        configure(TestRules.shared().namespace(before, 1, "a"));
        assertThat(read(other, before).status()).isEqualTo(200);
        configure(TestRules.shared().namespace(after, 1, "a"));

        var screen =
                Map.of(
                        "namespace_id",
                        "letters",
                        "entities",
                        Stream.of(before, after)
                                .map(each -> Map.of("entity_id", entity, "namespace_id", each))
                                .toList());
        String body = JSON.writeValueAsString(screen);
        assertProblem(other.send("POST", "/reactions/query", body), 404, "unknown-namespace");
        configure(TestRules.shared());
    }

    @Test
    void anOutdatedVersionGetsTheEntity() {
        given("letters", "ann", "a");
        String outdated = text(details("letters"), "version");
        given("letters", "ben", "a");

        assertThat(counts(entities(ask(null, List.of(item(outdated)))).get(0))).isEqualTo("a 2");
    }

    @Test
    void duplicatesAreAnsweredInPlace() {
        given("letters", "ann", "a");
        String version = text(details("letters"), "version");
        JsonNode screen = entities(ask(null, List.of(entity, NEVER_SEEN, item(version), entity)));

        assertThat(counts(screen.get(0))).isEqualTo("a 1");
        assertThat(counts(screen.get(1))).isEmpty();
        assertThat(screen.get(2).get("unchanged").booleanValue()).isTrue();
        assertThat(screen.get(3)).isEqualTo(screen.get(0));
    }

    @Test
    void anItemMayNameItsOwnNamespace() {
        given("letters", "ann", "a");
        given("pairs", "ann", "d");
        var inPairs = Map.of("entity_id", entity, "namespace_id", "pairs");
        JsonNode screen = entities(ask(null, List.of(entity, inPairs)));

        assertThat(counts(screen.get(0))).isEqualTo("a 1");
        assertThat(counts(screen.get(1))).isEqualTo("d 1");
    }

    @Test
    void detailsAreThoseOfASingleRead() {
        given("letters", "ann", "a");
        var body = Map.of("namespace_id", "letters", "entities", List.of(entity), "details", true);

        assertThat(entities(send(body)).get(0)).isEqualTo(details("letters"));
    }

    @Test
    void coldEntitiesAreLoaded() {
        int many = 23;
        List<String> all = IntStream.range(0, many).mapToObj(i -> entity + "-" + i).toList();
        all.forEach(each -> assertOk(service.add("letters", each, "ann", "a")));
        all.forEach(each -> Hot.evict("letters", each));
        JsonNode screen = entities(ask("ann", all));

        assertThat(screen.valueStream().map(ApiFixture::counts)).hasSize(many).containsOnly("a 1");
        assertThat(screen.valueStream().map(ApiFixture::own)).containsOnly(List.of("a"));
    }

    @Test
    void usersOfAHighCardinalityEntityAreLookedUp() {
        for (int i = 0; i <= TwoInstances.CROWD; i++) {
            given("letters", "user" + i, "a");
        }
        Hot.evict("letters", entity);
        ask(null, List.of(entity));

        assertThat(own(entities(ask("user3", List.of(entity))).get(0))).containsExactly("a");
        assertThat(own(entities(ask("nobody", List.of(entity))).get(0))).isEmpty();
    }

    /** A tag is possible for this POST, because it only reads. */
    @Test
    void theWholeHasOneTag() {
        given("letters", "ann", "a");
        Answer first = ask("ann", List.of(entity, NEVER_SEEN));
        var body = body("ann", List.of(entity, NEVER_SEEN));
        Answer second = send(body, "If-None-Match", header(first, "ETag"));
        given("letters", "ben", "a");
        Answer third = send(body, "If-None-Match", header(first, "ETag"));

        assertThat(second.status()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(third.status()).isEqualTo(200);
    }

    @Test
    void cacheControlIsThatOfASingleRead() {
        assertThat(header(ask("ann", List.of(entity)), "Cache-Control"))
                .isEqualTo("private, no-cache");
        assertThat(header(ask(null, List.of(entity)), "Cache-Control"))
                .isEqualTo("public, max-age=0");
    }

    @Test
    void nothingAskedIsNothingAnswered() {
        assertThat(ask(null, List.of()).body()).isEqualTo("{\"entities\":[]}");
    }

    @Test
    void aScreenHoldsTwoHundredEntities() {
        List<String> fits = IntStream.range(0, 200).mapToObj(i -> entity + i).toList();
        assertThat(entities(ask("ann", fits)).size()).isEqualTo(200);

        List<String> tooMany = IntStream.range(0, 201).mapToObj(i -> entity + i).toList();
        assertViolations(ask("ann", tooMany), "entities");
    }

    @Test
    void unknownNamespacesAreNotFound() {
        var item = Map.of("entity_id", entity, "namespace_id", "unknown");
        assertProblem(ask(null, List.of(item)), 404, "unknown-namespace");
        var body = Map.of("namespace_id", "unknown", "entities", List.of());
        assertProblem(send(body), 404, "unknown-namespace");
    }

    @Test
    void theNewestReactorsComeWithEachEntity() {
        given("letters", "ann", "a");
        given("letters", "ben", "d");
        given("letters", "cat", "a");
        given("letters", "ann", "f");
        String second = more("letters", "dan", "b");
        JsonNode screen = entities(send(reactors(2, entity, NEVER_SEEN, second, entity)));

        assertThat(users(screen.get(0))).containsExactly("ann", "cat");
        assertThat(users(screen.get(1))).isEmpty();
        assertThat(users(screen.get(2))).containsExactly("dan");
        assertThat(screen.get(3)).isEqualTo(screen.get(0));
        assertThat(users(entities(send(reactors(5, entity))).get(0)))
                .containsExactly("ann", "cat", "ben");
    }

    @Test
    void aReactorComesWithAllTheirReactionsTheNewestFirst() {
        given("letters", "ann", "a", "d", "f");
        JsonNode shown = entities(send(reactors(1, entity))).get(0);
        JsonNode reactions = shown.get("reactors").get(0).get("reactions");

        assertThat(reactions.valueStream().map(each -> text(each, "reaction_id")))
                .containsExactly("f", "d", "a");
        assertThat(text(reactions.get(2), "reacted_at"))
                .isEqualTo(text(details("letters").at("/reactions_count/0"), "first_reacted_at"));
    }

    @Test
    void theNewestAreFoundAmongMany() {
        for (int n = 0; n < 23; n++) {
            given("letters", "user" + n, n % 3 == 0 ? "a" : n % 3 == 1 ? "d" : "f");
        }
        assertOk(remove("letters", "user21", "a"));
        given("letters", "user3", "d");

        assertThat(users(entities(send(reactors(5, entity))).get(0)))
                .containsExactly("user3", "user22", "user20", "user19", "user18");
    }

    @Test
    void unchangedEntitiesAreAnsweredWithoutReactors() {
        given("letters", "ann", "a");
        JsonNode shown =
                entities(send(reactors(3, item(text(details("letters"), "version"))))).get(0);

        assertThat(shown.get("unchanged").booleanValue()).isTrue();
        assertThat(shown.has("reactors")).isFalse();
    }

    /** A reactor that is counted but not committed is not shown yet, but must be shown later. */
    @Test
    void anEntityShownAheadOfItsReactorsIsShownAgain() throws Exception {
        given("letters", "ann", "a");
        CompletableFuture<Answer> running;
        JsonNode early;
        try (var _ = HeldPartition.of(partition("letters"))) {
            running = Together.meanwhile(() -> add("letters", "ben", "a"));
            Wait.until("it is proposed", () -> counts("letters").equals("a 2"));
            early = detailed(entity);
        }
        assertOk(running.get());
        assertThat(users(early)).containsExactly("ann");
        JsonNode late = detailed(item(text(early, "version")));

        assertThat(users(late)).containsExactly("ben", "ann");
        assertThat(text(late, "version")).isGreaterThan(text(early, "version"));
        assertThat(detailed(item(text(late, "version"))).has("unchanged")).isTrue();
    }

    private JsonNode detailed(Object item) {
        var body = new LinkedHashMap<String, Object>(reactors(3, item));
        body.put("details", true);
        return entities(send(body)).get(0);
    }

    @Test
    void withoutBeingAskedForReactorsAreNotShown() {
        given("letters", "ann", "a");

        assertThat(entities(send(reactors(0, entity))).get(0).has("reactors")).isFalse();
        assertThat(send(reactors(0, entity)).body()).isEqualTo(ask(null, List.of(entity)).body());
    }

    /** By JSON Schema 5.0 is an integer, and some languages write it so. */
    @Test
    void aWholeNumberMayHaveAPoint() {
        String screen = "{\"namespace_id\":\"letters\",\"entities\":[\"%s\"],\"reactors\":%s}";

        for (String number : List.of("5", "5.0", "0.5e1")) {
            String body = screen.formatted(entity, number);
            assertThat(service.send("POST", "/reactions/query", body).status()).isEqualTo(200);
        }
        for (String number : List.of("5.5", "6.0", "-1.0", "1e400", "\"5\"", "true")) {
            String body = screen.formatted(entity, number);
            assertViolations(service.send("POST", "/reactions/query", body), "reactors");
        }
    }

    @Test
    void fiveReactorsAreTheMost() {
        assertViolations(send(reactors(6, entity)), "reactors");
        assertViolations(send(reactors(-1, entity)), "reactors");
        assertViolations(send(reactors("2", entity)), "reactors");
        assertViolations(send(reactors(1.5, entity)), "reactors");
    }

    @Test
    void invalidFieldsOfEachItemAreReportedByName() {
        var body =
                Map.of(
                        "namespace_id",
                        "no space",
                        "viewer_id",
                        7,
                        "details",
                        "yes",
                        "entities",
                        List.of("", 5, Map.of("version", 1), "fine"));

        assertViolations(
                send(body),
                "namespace_id",
                "viewer_id",
                "details",
                "entities[0]",
                "entities[1]",
                "entities[2].entity_id",
                "entities[2].version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"entities\":null}", "{\"entities\":{}}"})
    void entitiesAreAList(String body) {
        assertViolations(
                service.send("POST", "/reactions/query", body), "namespace_id", "entities");
    }

    private static Map<String, Object> reactors(Object number, Object... entities) {
        return Map.of("namespace_id", "letters", "entities", List.of(entities), "reactors", number);
    }

    private static List<String> users(JsonNode shown) {
        return shown.get("reactors").valueStream().map(each -> text(each, "user_id")).toList();
    }

    private boolean isUnchanged(String namespace, String viewer, String version) {
        var body = new LinkedHashMap<String, Object>();
        body.put("namespace_id", namespace);
        if (viewer != null) {
            body.put("viewer_id", viewer);
        }
        body.put("entities", List.of(item(version)));
        JsonNode shown = entities(send(body)).get(0);
        assertThat(shown.has("unchanged")).isNotEqualTo(shown.has("reactions_count"));
        return shown.has("unchanged");
    }

    private Map<String, String> item(String version) {
        return Map.of("entity_id", entity, "version", version);
    }

    /** Another entity with one reaction. */
    private String more(String namespace, String user, String reaction) {
        String another = entity + TestRules.ODD;
        assertOk(service.add(namespace, another, user, reaction));
        return another;
    }

    private Answer ask(String viewer, List<?> entities) {
        return send(body(viewer, entities));
    }

    private static Map<String, Object> body(String viewer, List<?> entities) {
        return viewer == null
                ? Map.of("namespace_id", "letters", "entities", entities)
                : Map.of("namespace_id", "letters", "viewer_id", viewer, "entities", entities);
    }

    private Answer send(Map<String, ?> body, String... headers) {
        return service.send("POST", "/reactions/query", JSON.writeValueAsString(body), headers);
    }

    private static JsonNode entities(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get("entities");
    }
}
