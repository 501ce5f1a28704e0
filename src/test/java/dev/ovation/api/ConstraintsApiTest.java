package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

@DisplayName("Constraints that a configuration writes")
class ConstraintsApiTest extends ApiFixture {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** More users than Redis holds of one entity. */
    private static final int CROWD = 300;

    private static final int WRITERS = 8;

    @Test
    void aUserMayHaveAtMostThreeReactions() {
        given("three", "ann", "a", "b", "c");

        assertViolates("three", add("three", "ann", "d"));
        assertOk(add("three", "ben", "d"));
        assertOk(remove("three", "ann", "a"));
        assertOk(add("three", "ann", "d"));
        assertViolates("three", put("three", "ann", "a", "b", "c", "d"));
        assertThat(put("three", "ann", "a", "e").status()).isEqualTo(200);
        assertThat(own("three", "ann")).containsExactlyInAnyOrder("a", "e");
    }

    @Test
    void nothingChangesForAUserWhoHasTheReaction() {
        given("three", "ann", "a", "b", "c");

        assertRefused(add("three", "ann", "a"), 403, "reaction-already-exists");
        assertOk(post("?if_exists=ok", "three", "ann", "a"));
    }

    @Test
    void aSecondReactionMustWait() {
        given("slow", "ann", "a");

        assertViolates("slow", add("slow", "ann", "b"));
        assertOk(remove("slow", "ann", "a"));
        assertViolates("slow", add("slow", "ann", "b"));
        assertOk(add("slow", "ben", "b"));
    }

    @Test
    void aPutThatOnlyTakesBackIsNotJudged() {
        Instant now = Instant.now();
        imported("slow", row("ann", "a", now), row("ann", "b", now));

        assertThat(put("slow", "ann", "a").status()).isEqualTo(200);
        assertViolates("slow", put("slow", "ann", "c"));
    }

    /** The time of a user's last reaction comes from Postgres with a load. */
    @Test
    void theWaitSurvivesTheLossOfTheHotState() {
        Instant now = Instant.now();
        imported(
                "slow",
                row("ann", "a", now.minus(23, ChronoUnit.HOURS)),
                row("ben", "a", day(now)));

        assertOk(add("slow", "ben", "b"));
        assertViolates("slow", add("slow", "ann", "b"));
        Hot.evict("slow", entity);
        assertThat(own("slow", "ben")).containsExactly("a", "b");
        assertViolates("slow", add("slow", "ben", "c"));
        assertViolates("slow", add("slow", "ann", "b"));
    }

    /** A reader installs an entity without the times of users; the write then looks its user up. */
    @Test
    void theWaitIsKnownAfterARead() {
        Instant now = Instant.now();
        imported(
                "slow",
                row("ann", "a", now.minus(23, ChronoUnit.HOURS)),
                row("ben", "a", day(now)));
        assertThat(counts("slow")).isEqualTo("a 2");

        assertViolates("slow", add("slow", "ann", "b"));
        assertOk(add("slow", "ben", "b"));
    }

    /** A load of the entity would seldom succeed, because others change it nearly all the time. */
    @Test
    void theWaitIsKnownWhileOthersWrite() throws Exception {
        Instant now = Instant.now();
        imported(
                "slow",
                row("ann", "a", now.minus(23, ChronoUnit.HOURS)),
                row("ben", "a", day(now)));
        assertThat(own("slow", "ann")).containsExactly("a");
        var ends = new AtomicBoolean();
        var written = new AtomicInteger();
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WRITERS; i++) {
                writers.submit(
                        () -> {
                            while (!ends.get()) {
                                add("slow", "writer-" + written.incrementAndGet(), "c");
                            }
                        });
            }
            Wait.until("others write", () -> written.get() > 2 * WRITERS);

            assertViolates("slow", add("slow", "ann", "b"));
            assertOk(add("slow", "ben", "b"));
            ends.set(true);
        } finally {
            ends.set(true);
        }
        assertThat(own("slow", "ben")).containsExactly("a", "b");
    }

    /** Each user of a high-cardinality entity is looked up. */
    @Test
    void theWaitIsKnownInACrowd() {
        Instant now = Instant.now();
        var rows =
                IntStream.range(0, CROWD)
                        .mapToObj(
                                i ->
                                        row(
                                                "user-" + i,
                                                "a",
                                                i == 7 ? day(now) : now.minusSeconds(60)))
                        .toArray(String[]::new);
        imported("slow", rows);

        assertViolates("slow", add("slow", "user-5", "b"));
        assertOk(add("slow", "user-7", "b"));
        assertViolates("slow", add("slow", "user-7", "c"));
        assertOk(add("slow", "newcomer", "b"));
    }

    @Test
    void oneReactionIsForAdults() {
        assertOk(with("POST", "adults", "a", Map.of()));
        assertViolates("adults", with("POST", "adults", "f", Map.of()));
        assertViolates("adults", with("POST", "adults", "f", Map.of("age", 17)));
        assertOk(with("POST", "adults", "f", Map.of("age", 18)));
        assertOk(with("DELETE", "adults", "f", Map.of("age", 17)));
    }

    @Test
    void anEntityClosesThirtyDaysAfterItsFirstReaction() {
        Instant now = Instant.now();
        imported("month", row("ann", "a", now.minus(Duration.ofDays(29))));
        assertOk(add("month", "ben", "b"));

        imported("month", row("cat", "c", now.minus(Duration.ofDays(31))));
        assertViolates("month", add("month", "dan", "a"));
        assertOk(remove("month", "ann", "a"));
    }

    /** Two first-timers at the limit, on two instances: one wins. */
    @Test
    void anEntityHasAtMostAThousandReactions() {
        var rows =
                IntStream.range(0, 999)
                        .mapToObj(i -> row("user-" + i, "a", Instant.now()))
                        .toArray(String[]::new);
        imported("thousand", rows);

        List<Answer> answers =
                Together.run(
                        () -> service.add("thousand", entity, "ann", "b"),
                        () -> other.add("thousand", entity, "ben", "b"));

        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 403);
        answers.stream()
                .filter(answer -> answer.status() == 403)
                .forEach(answer -> assertViolates("thousand", answer));
        assertThat(details("thousand").get("total").intValue()).isEqualTo(1000);
    }

    @Test
    void onlyMembersMayReact() {
        assertViolates("members", with("POST", "members", "a", Map.of("roles", List.of("guest"))));
        assertViolates("members", with("POST", "members", "a", Map.of("country", "TW")));
        assertOk(with("POST", "members", "a", Map.of("roles", List.of("staff", "member"))));
    }

    @Test
    void aFrozenNamespaceTakesNoChangeOfAnyKind() {
        imported("frozen", row("ann", "a", Instant.now()));

        assertViolates("frozen", add("frozen", "ben", "b"));
        assertViolates("frozen", force("frozen", "ben", "b"));
        assertViolates("frozen", remove("frozen", "ann", "a"));
        assertViolates("frozen", put("frozen", "ann"));
        assertViolates("frozen", add("frozen", "ben", "b", "Idempotency-Key", "k-" + entity));
        JsonNode results =
                batch(
                        operation("add", "frozen", "ben", "b"),
                        operation("remove", "frozen", "ann", "a"));
        for (JsonNode result : results) {
            assertThat(result.at("/outcome").stringValue()).isEqualTo("refused");
            assertThat(result.at("/problem/code").stringValue()).isEqualTo("constraint-violated");
        }
        assertThat(counts("frozen")).isEqualTo("a 1");
    }

    @Test
    void eachOperationOfABatchHasItsAttributes() {
        var child = operation("add", "adults", "ben", "f");
        child.put("attributes", Map.of("age", 7));
        var adult = operation("add", "adults", "ann", "f");
        adult.put("attributes", Map.of("age", 70));

        JsonNode results = batch(child, adult);

        assertThat(results.at("/0/problem/code").stringValue()).isEqualTo("constraint-violated");
        assertThat(results.at("/1/outcome").stringValue()).isEqualTo("applied");
    }

    @Test
    void attributesMustBeDeclaredAndOfTheirType() {
        for (Map<String, Object> each :
                List.<Map<String, Object>>of(
                        Map.of("height", 180),
                        Map.of("age", "18"),
                        Map.of("age", 1.5),
                        Map.of("age", 2_000_000_000_000L),
                        Map.of("age", List.of(18)))) {
            String field = "attributes." + each.keySet().iterator().next();
            Answer answer = with("POST", "adults", "a", each);
            assertRefused(answer, 400, "malformed-request");
            assertThat(answer.json().at("/violations/0/field").stringValue()).isEqualTo(field);
        }
        assertRefused(with("POST", "posts", "👍", Map.of("height", 1)), 400, "malformed-request");
    }

    @Test
    void theIdempotencyKeyCoversTheAttributes() {
        String key = "key-" + entity;
        assertOk(with("POST", "adults", "f", Map.of("age", 20), "Idempotency-Key", key));
        assertOk(with("POST", "adults", "f", Map.of("age", 20), "Idempotency-Key", key));
        assertRefused(
                with("POST", "adults", "f", Map.of("age", 21), "Idempotency-Key", key),
                422,
                "idempotency-mismatch");
    }

    private static void assertViolates(String constraint, Answer answer) {
        JsonNode problem = assertRefused(answer, 403, "constraint-violated");
        assertThat(problem.get("constraint").stringValue()).isEqualTo(constraint);
        assertThat(problem.get("detail").stringValue()).isEqualTo("the namespace is " + constraint);
    }

    private static Instant day(Instant now) {
        return now.minus(25, ChronoUnit.HOURS);
    }

    private String row(String user, String reaction, Instant at) {
        return "%s,%s,%s,%s".formatted(entity, user, reaction, at);
    }

    private void imported(String namespace, String... rows) {
        var file = new StringBuilder(Imports.HEADER);
        for (String row : rows) {
            file.append(namespace).append(',').append(row).append('\n');
        }
        Imports.run(service, "kind=reactions", file.toString());
    }

    private Answer put(String namespace, String user, String... reactions) {
        return service.send(
                "PUT",
                "/reactions",
                JSON.writeValueAsString(
                        Map.of(
                                "namespace_id", namespace,
                                "entity_id", entity,
                                "user_id", user,
                                "reaction_ids", List.of(reactions))));
    }

    /** A write of Ann with attributes. */
    private Answer with(
            String method,
            String namespace,
            String reaction,
            Map<String, Object> attributes,
            String... headers) {
        var body = operation("", namespace, "ann", reaction);
        body.put("attributes", attributes);
        return service.send(method, "/reactions", JSON.writeValueAsString(body), headers);
    }

    private Map<String, Object> operation(
            String op, String namespace, String user, String reaction) {
        var operation = new LinkedHashMap<String, Object>();
        operation.put("op", op);
        operation.put("namespace_id", namespace);
        operation.put("entity_id", entity);
        operation.put("user_id", user);
        operation.put("reaction_id", reaction);
        return operation;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private JsonNode batch(Map<String, Object>... operations) {
        String body = JSON.writeValueAsString(Map.of("operations", List.of(operations)));
        Answer answer = service.send("POST", "/reactions/batch", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get("results");
    }
}
