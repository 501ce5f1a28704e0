package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;

import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TrailLines;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Each call of operators logs one line, without ids of users. */
@Isolated
@ExtendWith({TwoInstances.class, OutputCaptureExtension.class})
class TrailApiTest extends ApiFixture {

    private static final String ID = "given-4711";

    @TempDir static Path folder;
    private static Instance guarded;
    private static String operator;
    private static String backend;
    private TrailLines trail;

    @BeforeAll
    static void start() {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        operator = keys.add("ops", "scopes: [operate, configure, transfer, metrics, erase]");
        backend = keys.add("feed", "scopes: [reactions:read, reactions:write, users:write]");
        guarded = TwoInstances.beside("ovation.access.keys=" + keys.file());
        guarded.attached("X-Api-Key", operator);
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    @BeforeEach
    void listen() {
        trail = new TrailLines();
    }

    @AfterEach
    void listenNoMore() {
        trail.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /jobs?limit=3&x=ID | scope=transfer method=GET route=/jobs status=200",
                "HEAD /jobs?limit=3 | scope=transfer method=HEAD route=/jobs status=200",
                "GET /%6aobs?limit=3 | scope=transfer method=GET route=/jobs status=200",
                "GET /jobs?job_id=ID | scope=transfer method=GET route=/jobs status=404",
                "DELETE /jobs?job_id=987654321 | scope=transfer method=DELETE route=/jobs"
                        + " job_id=987654321 status=404",
                "GET /exports?kind=reactions&namespace_id=posts&user_id=ID | scope=transfer method=GET"
                        + " route=/exports namespace_id=posts status=200",
                "GET /exports?kind=users&kind=users | scope=transfer method=GET route=/exports status=400",
                "POST /configuration | scope=configure method=POST route=/configuration status=415",
                "DELETE /users?user_id= | scope=erase method=DELETE route=/users status=400",
                "POST /actuator/refresh?accept_loss=true&user_id=ID | scope=configure method=POST"
                        + " route=/actuator/refresh status=200",
                "POST /actuator/audit?namespace_id=posts&sample=1 | scope=operate method=POST"
                        + " route=/actuator/audit namespace_id=posts status=200",
                "GET /actuator/namespaces | scope=operate method=GET route=/actuator/namespaces"
                        + " status=200"
            })
    void aCallOfAnOperatorIsOneLine(String request, String expected) {
        String[] parts = request.replace("ID", entity).split(" ");
        var _ =
                Instance.sendTo(
                        guarded.port(),
                        parts[0],
                        parts[1],
                        null,
                        "X-Api-Key",
                        operator,
                        "X-Request-Id",
                        ID);

        assertThat(trail.first().getFormattedMessage())
                .isEqualTo("principal=ops %s request_id=%s".formatted(expected, ID))
                .doesNotContain(entity);
        assertThat(trail.first().getMDCPropertyMap()).containsEntry("request_id", ID);
        assertThat(trail.all()).hasSize(1);
    }

    /** The erasure ends within the request, or later as a job. */
    @ParameterizedTest
    @ValueSource(strings = {"/users?user_id=", "/entities?namespace_id=posts&entity_id="})
    void anErasureIsNotedWithoutItsObject(String target) {
        given("posts", entity, "👍");
        Answer answer = send("DELETE", target + entity, null, operator);

        ILoggingEvent line = trail.first();
        assertThat(line.getFormattedMessage())
                .startsWith("principal=ops scope=erase method=DELETE route=/")
                .contains(" status=" + answer.status() + " ")
                .doesNotContain(entity);
        if (answer.status() == 202) {
            assertThat(field(line, "job_id")).isEqualTo(text(answer.json(), "job_id"));
        } else {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(line.getFormattedMessage()).doesNotContain("job_id");
        }
    }

    @Test
    void anImportIsNotedWithItsJob() {
        Answer answer =
                Imports.send(
                        guarded,
                        "kind=users",
                        Imports.CSV,
                        "user_id,display_name\n%s,Ann\n".formatted(entity),
                        "X-Api-Key",
                        operator);

        assertThat(answer.status()).isEqualTo(202);
        ILoggingEvent line = trail.first();
        assertThat(field(line, "route")).isEqualTo("/imports");
        assertThat(field(line, "status")).isEqualTo(202);
        assertThat(field(line, "job_id")).isEqualTo(text(answer.json(), "job_id"));
        assertThat(line.getFormattedMessage()).doesNotContain(entity);
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /users?user_id=ID,                       erase",
        "GET,    /exports?kind=users,                     transfer",
        "POST,   /configuration,                          configure",
        "POST,   /actuator/audit,                         operate",
        "GET,    /actuator/health,                        operate"
    })
    void aRefusedCallIsNotedToo(String method, String target, String scope) {
        Answer answer = send(method, target.replace("ID", entity), null, backend);

        assertThat(answer.status()).isEqualTo(403);
        ILoggingEvent line = trail.first();
        assertThat(field(line, "principal")).isEqualTo("feed");
        assertThat(field(line, "scope")).isEqualTo(scope);
        assertThat(field(line, "status")).isEqualTo(403);
        assertThat(line.getFormattedMessage()).doesNotContain(entity);
    }

    @Test
    void anUnknownCredentialAndNoneAreCountedInstead() {
        double before = unauthenticated();

        assertThat(guarded.send("GET", "/jobs", null).status()).isEqualTo(401);
        assertThat(send("GET", "/jobs", null, "ovk_unknown").status()).isEqualTo(401);

        Wait.until("both are counted", () -> unauthenticated() >= before + 2);
        assertThat(trail.all()).isEmpty();
    }

    private static double unauthenticated() {
        String metrics = send("GET", "/actuator/prometheus", null, operator).body();
        return new Metrics(metrics).value("ovation_problems_total", "code=\"unauthenticated\"");
    }

    @Test
    void callsOfUsersAndMonitorsLeaveNoLine() {
        var statuses = new ArrayList<Integer>();
        String body = Instance.body("posts", entity, "ann", "👍");
        statuses.add(send("POST", "/reactions", body, backend).status());
        statuses.add(
                send("GET", "/reactions?namespace_id=posts&entity_id=" + entity, null, backend)
                        .status());
        statuses.add(send("GET", "/actuator/prometheus", null, operator).status());
        statuses.add(guarded.get("/actuator/health/liveness").status());
        statuses.add(guarded.get("/readyz").status());

        assertThat(statuses).isEqualTo(List.of(200, 200, 200, 200, 200));
        assertThat(trail.all()).isEmpty();
    }

    /** The last line of a start is a command that works with an inserted key. */
    @Test
    void theWelcomeShowsWhereTheKeyBelongs(CapturedOutput output) {
        Wait.until(
                "the service says that it is ready",
                () -> output.getAll().contains("curl -H 'Authorization: Bearer ovk_"));
    }

    private static Answer send(String method, String target, String body, String credential) {
        return guarded.send(method, target, body, "Authorization", "Bearer " + credential);
    }

    private static Object field(ILoggingEvent line, String name) {
        return line.getKeyValuePairs().stream()
                .filter(each -> each.key.equals(name))
                .map(each -> each.value)
                .findFirst()
                .orElseThrow();
    }
}
