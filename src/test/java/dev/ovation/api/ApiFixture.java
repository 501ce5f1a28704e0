package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.extension.ExtendWith;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Tests of the whole service through HTTP; each test has an entity of its own. */
@ExtendWith(TwoInstances.class)
abstract class ApiFixture {

    static final String OK = "{\"status\":\"ok\"}";
    static final int PARTITIONS = 64;

    final Instance service = TwoInstances.one();
    final Instance other = TwoInstances.other();
    final String entity = UUID.randomUUID().toString();

    /** Adds reactions, which must succeed. */
    void given(String namespace, String user, String... reactions) {
        for (String reaction : reactions) {
            assertOk(add(namespace, user, reaction));
        }
    }

    Answer add(String namespace, String user, String reaction, String... headers) {
        return post("", namespace, user, reaction, headers);
    }

    Answer force(String namespace, String user, String reaction, String... headers) {
        return post("?force=true", namespace, user, reaction, headers);
    }

    Answer post(String query, String namespace, String user, String reaction, String... headers) {
        String body = Instance.body(namespace, entity, user, reaction);
        return service.send("POST", "/reactions" + query, body, headers);
    }

    Answer remove(String namespace, String user, String reaction, String... headers) {
        String body = Instance.body(namespace, entity, user, reaction);
        return service.send("DELETE", "/reactions", body, headers);
    }

    /** The answer to {@code GET /reactions}; {@code more} alternates names and values. */
    Answer read(Instance instance, String namespace, String... more) {
        var query = new LinkedHashMap<String, String>();
        query.put("namespace_id", namespace);
        query.put("entity_id", entity);
        for (int i = 0; i < more.length; i += 2) {
            query.put(more[i], more[i + 1]);
        }
        return instance.get("/reactions?" + Instance.encode(query));
    }

    /** The entity without a viewer, with details. */
    JsonNode details(String namespace) {
        Answer answer = read(service, namespace, "details", "true");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    /** The counts in the order of the answer, as in {@code 👍 2, 👎 1}. */
    String counts(String namespace) {
        return counts(read(service, namespace).json());
    }

    static String counts(JsonNode entity) {
        return entity.get("reactions_count")
                .valueStream()
                .map(each -> text(each, "reaction_id") + " " + each.get("count").longValue())
                .collect(Collectors.joining(", "));
    }

    /** The user's own reactions, in the order of the answer. */
    List<String> own(String namespace, String user) {
        return own(read(service, namespace, "user_id", user).json());
    }

    static List<String> own(JsonNode entity) {
        return texts(entity.at("/user_reactions/reactions"));
    }

    static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }

    static String text(JsonNode object, String member) {
        return object.get(member).stringValue();
    }

    /** The value of a header; null if it is missing. */
    static String header(Answer answer, String name) {
        return answer.headers().entrySet().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Puts a configuration in force. */
    void configure(TestRules rules) {
        String target = "/configuration?accept_loss=true";
        String[] type = {"Content-Type", "application/json"};
        assertApplied(service.send("POST", target, rules.json(), type));
    }

    /** Locks or unlocks an entity. */
    Answer lock(String namespace, String entity, String body) {
        var names = Map.of("namespace_id", namespace, "entity_id", entity);
        String target = "/entities?" + Instance.encode(names);
        String[] type = {"Content-Type", "application/json"};
        return service.send("PUT", target, body, type);
    }

    /** Asserts that a configuration was applied, whatever its impact. */
    static void assertApplied(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(text(answer.json(), "status")).isEqualTo("ok");
    }

    /** The partition of this test's entity. */
    int partition(String namespace) {
        return partition(namespace, entity);
    }

    static int partition(String namespace, String entity) {
        return new Partitions(PARTITIONS).of(new EntityKey(namespace, entity));
    }

    static void assertOk(Answer answer) {
        assertThat(answer.body()).isEqualTo(OK);
        assertThat(answer.status()).isEqualTo(200);
    }

    /** Asserts a problem of a write that changed nothing. */
    static JsonNode assertRefused(Answer answer, int status, String code) {
        JsonNode problem = problem(answer, status, code);
        assertThat(text(problem, "outcome")).isEqualTo("refused");
        return problem;
    }

    /** Asserts a problem of a read. */
    static JsonNode assertProblem(Answer answer, int status, String code) {
        JsonNode problem = problem(answer, status, code);
        assertThat(problem.has("outcome")).isFalse();
        return problem;
    }

    /** Asserts a malformed request with violations of exactly these fields. */
    static void assertViolations(Answer answer, String... fields) {
        JsonNode problem = problem(answer, 400, "malformed-request");
        assertThat(problem.get("violations").valueStream().map(each -> text(each, "field")))
                .containsExactlyInAnyOrder(fields);
        assertThat(problem.get("violations").valueStream().map(each -> text(each, "message")))
                .noneMatch(String::isBlank);
    }

    /** Asserts the refusal of a cursor of another query, or of a forged one. */
    static void assertInvalidCursor(Answer answer) {
        var _ = assertProblem(answer, 400, "invalid-cursor");
    }

    static JsonNode problem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
        JsonNode problem = answer.json();
        assertThat(text(problem, "type")).isEqualTo("urn:ovation:problem:" + code);
        assertThat(text(problem, "code")).isEqualTo(code);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(text(problem, "title")).isNotBlank();
        assertThat(text(problem, "detail")).isNotBlank();
        assertThat(text(problem, "error")).isEqualTo(text(problem, "detail"));
        assertThat(text(problem, "request_id")).isEqualTo(header(answer, "X-Request-Id"));
        return problem;
    }

    /** Puts files in force. */
    void put(TestRules rules) {
        rules.writeTo(TwoInstances.files());
        assertThat(refreshed(service).status()).isEqualTo(200);
    }

    /** Has the files read again, also if namespaces of other tests vanish. */
    static Answer refreshed(Instance instance) {
        return instance.send("POST", "/actuator/refresh?accept_loss=true", null);
    }

    static JsonNode inForce(Instance instance) {
        return instance.get("/actuator/namespaces").json();
    }
}
