package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** {@code POST /reactions/batch}. */
class BatchApiTest extends ApiFixture {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final String key = UUID.randomUUID().toString();

    @Test
    void operationsOnOneEntityAreDoneInOrder() throws SQLException {
        assertOutcomes(
                send(
                        add("ann", "a"),
                        remove("ann", "a"),
                        remove("ann", "a"),
                        add("ann", "b"),
                        add("ben", "b"),
                        remove("ann", "b"),
                        add("ann", "c")),
                "applied",
                "applied",
                "unchanged",
                "applied",
                "applied",
                "applied",
                "applied");
        assertThat(Rows.of("letters", entity)).containsExactly("ann c", "ben b");
        assertThat(text(details("letters"), "version")).contains(".000000000006.");
    }

    @Test
    void operationsOnManyEntitiesAreDoneAtTheSameTime() {
        List<ObjectNode> operations =
                IntStream.range(0, 100)
                        .mapToObj(n -> on(entity + n % 50, add("u" + n, "a")))
                        .toList();

        assertThat(outcomes(send(service, operations))).hasSize(100).containsOnly("applied");
        for (int n = 0; n < 50; n++) {
            assertThat(counts(service.read("letters", entity + n, null).json())).isEqualTo("a 2");
        }
    }

    @Test
    void theAnswerIsShort() {
        assertThat(send(add("ann", "a"), remove("ben", "a")).body())
                .isEqualTo("{\"results\":[{\"outcome\":\"applied\"},{\"outcome\":\"unchanged\"}]}");
        assertThat(send(service, List.of()).body()).isEqualTo("{\"results\":[]}");
    }

    @Test
    void aRefusalIsAProblemInItsPlaceAndStopsNoOther() {
        given("letters", "ann", "a");
        JsonNode results =
                results(
                        send(
                                add("ann", "a"),
                                add("ann", "b"),
                                add("ann", "d"),
                                in("closed", add("ann", "a")),
                                in("unknown", add("ann", "a")),
                                add("ann", "z"),
                                in("unknown", remove("ann", "z"))));

        assertThat(results.valueStream().map(each -> each.at("/problem/code").asString("")))
                .containsExactly(
                        "reaction-already-exists",
                        "conflicting-reaction",
                        "",
                        "max-uniq-reactions",
                        "unknown-namespace",
                        "unknown-reaction",
                        "");
        JsonNode problem = results.get(1).get("problem");
        assertThat(text(results.get(1), "outcome")).isEqualTo("refused");
        assertThat(text(problem, "outcome")).isEqualTo("refused");
        assertThat(text(problem, "type")).isEqualTo("urn:ovation:problem:conflicting-reaction");
        assertThat(problem.get("status").intValue()).isEqualTo(403);
        assertThat(text(problem, "error")).isEqualTo(text(problem, "detail"));
        assertThat(texts(problem.get("conflicting"))).containsExactly("a");
        assertThat(own("letters", "ann")).containsExactly("a", "d");
    }

    @Test
    void forceAndIfExistsApplyToTheirOperationOnly() {
        given("letters", "ann", "a");
        assertOutcomes(
                send(
                        with("if_exists", "ok", add("ann", "a")),
                        with("if_exists", "error", add("ann", "a")),
                        with("force", true, add("ann", "b")),
                        with("force", false, add("ann", "c"))),
                "unchanged",
                "refused",
                "applied",
                "refused");
        assertThat(own("letters", "ann")).containsExactly("b");
    }

    /** The first of two operations on the last free place succeeds, in any order of loads. */
    @Test
    void theOrderHoldsForEntitiesThatRedisDoesNotHave() {
        for (int round = 0; round < 7; round++) {
            String each = entity + round;
            assertOk(service.add("pairs", each, "zoe", "d"));
            Hot.evict("pairs", each);
            assertOutcomes(
                    send(
                            on(each, in("pairs", add("ann", "a"))),
                            on(each, in("pairs", add("ben", "c"))),
                            on(each, in("pairs", remove("ann", "a"))),
                            on(each, in("pairs", add("ben", "c")))),
                    "applied",
                    "refused",
                    "applied",
                    "applied");
        }
    }

    @Test
    void theOrderHoldsOnAHighCardinalityEntity() {
        for (int n = 0; n < TwoInstances.CROWD + 5; n++) {
            given("letters", "user" + n, "a");
        }
        Hot.evict("letters", entity);
        List<ObjectNode> operations = new ArrayList<>();
        for (int n = 0; n < TwoInstances.CROWD + 5; n++) {
            operations.add(remove("user" + n, "a"));
            operations.add(add("user" + n, "d"));
            operations.add(add("user" + n, "d"));
        }

        List<String> outcomes = outcomes(send(service, operations));
        for (int i = 0; i < outcomes.size(); i++) {
            assertThat(outcomes.get(i)).isEqualTo(i % 3 == 2 ? "refused" : "applied");
        }
        assertThat(counts("letters")).isEqualTo("d " + (TwoInstances.CROWD + 5));
    }

    @Test
    void withAKeyEachOperationIsDoneOnce() {
        ObjectNode[] operations = {
            add("ann", "a"), add("ann", "b"), add("ben", "d"), remove("cat", "d")
        };
        assertOutcomes(keyed(service, operations), "applied", "refused", "applied", "unchanged");
        assertOk(remove("letters", "ann", "a"));

        // The refusal is judged again, and the operation now succeeds.
        assertOutcomes(keyed(other, operations), "applied", "applied", "applied", "unchanged");
        assertThat(own("letters", "ann")).containsExactly("b");
        assertThat(counts("letters")).isEqualTo("d 1, b 1");
    }

    @Test
    void anotherOperationUnderAKeyIsAMismatchInItsPlace() {
        assertOutcomes(keyed(service, add("ann", "a"), add("ann", "d")), "applied", "applied");
        JsonNode results = results(keyed(other, add("ann", "a"), add("ann", "e")));

        assertThat(text(results.get(0), "outcome")).isEqualTo("applied");
        assertThat(results.get(1).at("/problem/code").asString()).isEqualTo("idempotency-mismatch");
        assertThat(own("letters", "ann")).containsExactly("a", "d");
    }

    @Test
    void theKeyOfABatchIsNoneOfAWrite() {
        assertOutcomes(keyed(service, add("ann", "a")), "applied");

        assertOk(add("letters", "ann", "d", "Idempotency-Key", key));
        assertThat(own("letters", "ann")).containsExactly("a", "d");
    }

    @Test
    void allWaitForTheCommitTogether() throws Exception {
        given("letters", "zoe", "f");
        CompletableFuture<Answer> running;
        try (var _ = HeldPartition.of(partition("letters"))) {
            running =
                    Together.meanwhile(
                            () -> send(add("ann", "a"), add("ben", "a"), add("cat", "a")));
            Wait.until("all are proposed", () -> counts("letters").contains("a 3"));
            assertThat(running).isNotDone();
            assertThat(Metrics.of(service).value("ovation_requests_active", "kind=\"writes\""))
                    .isEqualTo(3);
        }
        assertOutcomes(running.get(), "applied", "applied", "applied");
    }

    @Test
    void anOperationThatIsNotCommittedInTimeIsUnknown() throws Exception {
        given("letters", "zoe", "f");
        Answer answer;
        try (var hasty = TwoInstances.hasty();
                var _ = HeldPartition.of(partition("letters"))) {
            answer = keyed(hasty, add("ann", "a"), remove("ben", "a"));
        }
        JsonNode results = results(answer);
        assertThat(text(results.get(0), "outcome")).isEqualTo("unknown");
        assertThat(results.get(0).at("/problem/code").asString()).isEqualTo("outcome-unknown");
        Wait.until("the commit", () -> Rows.of("letters", entity).contains("ann a"));

        assertOutcomes(keyed(service, add("ann", "a"), remove("ben", "a")), "applied", "unchanged");
        assertThat(counts("letters")).isEqualTo("f 1, a 1");
    }

    @Test
    void aMalformedOperationIsNamedAndNothingIsDone() {
        var body = new LinkedHashMap<String, Object>();
        body.put(
                "operations",
                List.of(
                        add("ann", "a"),
                        with("op", "put", add("ann", "a")),
                        Map.of("op", "add"),
                        "add",
                        with("force", "yes", with("if_exists", "maybe", add("", "a"))),
                        in("no space", add("ann", "a"))));

        assertViolations(
                service.send("POST", "/reactions/batch", JSON.writeValueAsString(body)),
                "operations[1].op",
                "operations[2].namespace_id",
                "operations[2].entity_id",
                "operations[2].user_id",
                "operations[2].reaction_id",
                "operations[3]",
                "operations[4].user_id",
                "operations[4].force",
                "operations[4].if_exists",
                "operations[5].namespace_id");
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void aBatchHoldsAHundredOperations() {
        var tooMany = IntStream.range(0, 101).mapToObj(n -> remove("ann", "a")).toList();

        assertViolations(send(service, tooMany), "operations");
        assertViolations(service.send("POST", "/reactions/batch", "{}"), "operations");
        assertViolations(
                send(service, List.of(), "Idempotency-Key", "two words"), "Idempotency-Key");
    }

    @Test
    void idsAreTakenAsTheyAre() throws SQLException {
        String odd = entity + TestRules.ODD;
        assertOutcomes(send(on(odd, in("posts", add(TestRules.ODD, TestRules.ODD)))), "applied");

        assertThat(Rows.of("posts", odd)).containsExactly(TestRules.ODD + " " + TestRules.ODD);
    }

    private ObjectNode add(String user, String reaction) {
        return operation("add", user, reaction);
    }

    private ObjectNode remove(String user, String reaction) {
        return operation("remove", user, reaction);
    }

    private ObjectNode operation(String op, String user, String reaction) {
        return JSON.createObjectNode()
                .put("op", op)
                .put("namespace_id", "letters")
                .put("entity_id", entity)
                .put("user_id", user)
                .put("reaction_id", reaction);
    }

    private static ObjectNode with(String name, Object value, ObjectNode operation) {
        return operation.putPOJO(name, value);
    }

    private static ObjectNode in(String namespace, ObjectNode operation) {
        return with("namespace_id", namespace, operation);
    }

    private static ObjectNode on(String entity, ObjectNode operation) {
        return with("entity_id", entity, operation);
    }

    private Answer send(ObjectNode... operations) {
        return send(service, List.of(operations));
    }

    private Answer keyed(Instance through, ObjectNode... operations) {
        return send(through, List.of(operations), "Idempotency-Key", key);
    }

    private static Answer send(Instance through, List<?> operations, String... headers) {
        String body = JSON.writeValueAsString(Map.of("operations", operations));
        return through.send("POST", "/reactions/batch", body, headers);
    }

    private static JsonNode results(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
        return answer.json().get("results");
    }

    private static List<String> outcomes(Answer answer) {
        return results(answer).valueStream().map(each -> text(each, "outcome")).toList();
    }

    private static void assertOutcomes(Answer answer, String... outcomes) {
        assertThat(outcomes(answer)).as(answer.body()).containsExactly(outcomes);
    }
}
