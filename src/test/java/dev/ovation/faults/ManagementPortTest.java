package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.testing.Beside;
import dev.ovation.testing.GrpcClient;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.SpanReceiver;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.Environment;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A separate management port answers with the same problems and request ids as the main port. */
@Beside
@TestMethodOrder(OrderAnnotation.class)
class ManagementPortTest {

    private static final String ID = "given-4711";

    private static SpanReceiver receiver;
    private static Stage stage;
    private static Instance service;
    private static int port;

    @BeforeAll
    static void start() {
        receiver = SpanReceiver.start();
        stage = Stage.open();
        service =
                stage.launch(
                        Stage.settings(
                                Stage.PATIENT,
                                receiver.settings(
                                        "management.tracing.sampling.probability=1",
                                        "spring.grpc.server.enabled=true",
                                        "spring.grpc.server.port=0",
                                        "management.server.port=0",
                                        "ovation.internal.requests.attach=100ms")));
        port =
                service.bean(Environment.class)
                        .getRequiredProperty("local.management.port", Integer.class);
        Wait.until("health is UP", () -> get("/actuator/health").status() == 200);
    }

    @AfterAll
    static void stop() {
        stage.close();
        receiver.close();
    }

    private static Answer get(String path) {
        return Instance.sendTo(port, "GET", path, null);
    }

    @Test
    void theEndpointsAreOnThatPortAlone() {
        assertThat(port).isNotEqualTo(service.port());
        assertThat(service.get("/actuator/health").status()).isEqualTo(404);
        assertThat(service.add(Stage.POSTS, "1", "ann", "👍").status()).isEqualTo(200);
        assertThat(Instance.sendTo(port, "POST", "/reactions", "{}").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /nothing-here,                  404, not-found",
        "GET,    /actuator/nothing-here,         404, not-found",
        "GET,    /actuator/health/nobody,        404, not-found",
        "DELETE, /actuator/health,               405, method-not-allowed",
        "POST,   /actuator/audit?sample=none,    400, malformed-request",
        "POST,   /actuator/audit?namespace_id=x, 404, unknown-namespace",
        "GET,    /%zz,                           400, malformed-request"
    })
    void eachFailureIsAProblemWithTheIdOfItsRequest(
            String method, String target, int status, String code) {
        Reply reply = RawHttp.send(port, RawHttp.head(method, target, "X-Request-Id: " + ID), "");

        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.header("X-Request-Id")).isEqualTo(ID);
        JsonNode problem = JsonMapper.shared().readTree(reply.body());
        assertThat(problem.get("code").stringValue()).isEqualTo(code);
        assertThat(problem.get("request_id").stringValue()).isEqualTo(ID);
    }

    /** The first test: a problem of another one might be counted after its answer. */
    @Test
    @Order(1)
    void itsProblemsAreCountedWithThoseOfTheOtherPort() {
        double before = notFound();
        get("/nothing-here");
        Wait.until("it is counted", () -> notFound() == before + 1);
        service.get("/nothing-here");
        Wait.until("both are counted", () -> notFound() == before + 2);
    }

    private static double notFound() {
        return get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("ovation_problems_total{"))
                .filter(line -> line.contains("code=\"not-found\""))
                .mapToDouble(line -> Double.parseDouble(line.replaceFirst(".* ", "")))
                .sum();
    }

    /**
     * A scrape every 15 s, of each instance: each kind of request was refused, and a dozen were
     * answered. Each is traced, so the OpenMetrics form has exemplars.
     */
    @Test
    @Order(Integer.MAX_VALUE - 1)
    void aScrapeIsSmallerThan100Kilobytes() {
        var document = service.get("/v3/api-docs").json().at("/paths");
        for (String pattern : document.propertyNames()) {
            String path = pattern.replace("{group}", "liveness");
            document.get(pattern)
                    .propertyNames()
                    .forEach(method -> service.send(method.toUpperCase(Locale.ROOT), path, "{}"));
        }
        for (String user : new String[] {"ann", "ben", "cat"}) {
            service.add(Stage.POSTS, "1", user, "👍");
            service.add(Stage.NOTES, "1", user, "👎");
            service.read(Stage.POSTS, "1", user);
            service.read(Stage.NOTES, "2", null);
            service.remove(Stage.POSTS, "1", user, "👍");
        }
        service.get("/exports?kind=users");
        service.get("/jobs");
        service.get("/entities/top?namespace_id=" + Stage.POSTS);
        try (var grpc = new GrpcClient(service)) {
            var write = AddRequest.newBuilder().setNamespaceId(Stage.NOTES).setEntityId("3");
            write.setUserId("ann").setReactionId("👍");
            assertThat(grpc.calls().add(write.build()).getApplied()).isTrue();
            var read = GetRequest.newBuilder().setNamespaceId(Stage.NOTES).setEntityId("3");
            var _ = grpc.calls().get(read.build());
        }

        String scrape =
                Wait.until(
                        "all requests are measured",
                        () -> get("/actuator/prometheus").body(),
                        text -> text.contains("uri=\"/entities/top\""));
        String withExemplars =
                Instance.sendTo(
                                port,
                                "GET",
                                "/actuator/prometheus",
                                null,
                                "Accept",
                                "application/openmetrics-text; version=1.0.0")
                        .body();
        assertThat(withExemplars).containsPattern("uri=\"/entities/top\",le=.* # \\{span_id=");
        for (String each : new String[] {scrape, withExemplars}) {
            assertThat(each)
                    .contains("uri=\"/reactions\",le=\"0.005\"", "ovation_grpc_calls_seconds");
            assertThat(each.getBytes(StandardCharsets.UTF_8).length).isLessThan(100_000);
        }
    }

    /** An answer of 503 without a problem body. */
    @Test
    @Order(Integer.MAX_VALUE)
    void anUnhealthyAnswerBearsTheIdToo() {
        stage.redisProcess.kill();
        Answer down =
                Wait.until(
                        "Redis counts as down",
                        () ->
                                Instance.sendTo(
                                        port, "GET", "/actuator/health", null, "X-Request-Id", ID),
                        answer -> answer.status() == 503);

        assertThat(down.json().at("/components/redis/status").asString()).isEqualTo("DOWN");
        assertThat(down.headers()).containsEntry("x-request-id", ID);
    }
}
