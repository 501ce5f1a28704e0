package dev.ovation.web;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp.Reply;
import dev.ovation.web.problem.InternalErrors;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;

@Isolated
@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class ProblemsOverHttpTest {

    @LocalServerPort int port;
    @Autowired MeterRegistry registry;

    @Test
    void aProblemHasAllItsMembersInOrder() {
        Reply reply = RawHttp.send(port, head("POST", "/echo/busy", "X-Request-Id: seven"), "");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.header("X-Request-Id")).isEqualTo("seven");
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.header("Retry-After")).isEqualTo("2");
        assertThat(reply.body())
                .isEqualTo(
                        "{\"type\":\"urn:ovation:problem:unavailable\","
                                + "\"title\":\"The service is unavailable\","
                                + "\"status\":503,"
                                + "\"detail\":\"writes are at their limit, nothing was done\","
                                + "\"code\":\"unavailable\","
                                + "\"error\":\"writes are at their limit, nothing was done\","
                                + "\"outcome\":\"refused\","
                                + "\"request_id\":\"seven\"}");
    }

    @Test
    void theBoundThatRefusedIsTheCauseInTheMetric() {
        var counter =
                registry.get("ovation.problems")
                        .tags("code", "unavailable", "cause", "permits")
                        .counter();
        double before = counter.count();

        RawHttp.send(port, head("POST", "/echo/busy"), "");

        Wait.until("it is counted", () -> counter.count() == before + 1);
    }

    /** In all log formats: structured logs have it as a field. */
    @Test
    void logLinesOfARequestBearItsId(CapturedOutput output) {
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(InternalErrors.class);
        lines.start();
        logger.addAppender(lines);
        try {
            RawHttp.send(port, head("DELETE", "/echo/broken", "X-Request-Id: logged-4712"), "");
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.getFirst().getMDCPropertyMap())
                .containsEntry("request_id", "logged-4712");
        assertThat(output.getAll()).containsPattern("logged-4712 .*DELETE /echo/broken failed");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,     /nothing-here,           404, not-found",
        "POST,    /nothing-here,           404, not-found",
        "PUT,     /nothing-here,           404, not-found",
        "GET,     /error,                  404, not-found",
        "GET,     /ping/,                  404, not-found",
        "GET,     /actuator/nothing-here,  404, not-found",
        "GET,     /actuator/health/nobody, 404, not-found",
        "DELETE,  /ping,                   405, method-not-allowed",
        "TRACE,   /ping,                   405, method-not-allowed",
        "CONNECT, localhost:80,            501, not-implemented",
        "GET,     /echo/bound,             400, malformed-request",
        "GET,     /echo/bound?number=one,  400, malformed-request",
        "GET,     /echo/bound?number=%zz,  400, malformed-request",
        "GET,     /%zz,                    400, malformed-request",
        "GET,     /ping%2f..%2f,           400, malformed-request",
        "GET,     /echo/query?text=%zz,    400, malformed-request",
        "GET,     /echo/query?text=%ff,    400, malformed-request",
        "GET,     /echo/query?text=%f0%9f, 400, malformed-request",
        "GET,     /echo/query?text=%4,     400, malformed-request",
        "GET,     /echo/query?text=a&text=a, 400, malformed-request",
        "GET,     /é,                      400, malformed-request",
        "GET,     //..,                    400, malformed-request"
    })
    void eachFailureIsAProblem(String method, String target, int status, String code) {
        assertProblem(RawHttp.send(port, head(method, target), ""), status, code);
    }

    @ParameterizedTest
    @CsvSource({
        "'GET /ping HTTP/1.1\n\n',                                   400, malformed-request",
        "'GET /ping HTTP/1.1\nHost: a\nHost: b\n\n',                 400, malformed-request",
        "'GET /ping HTTP/1.1\nHost: a b\n\n',                        400, malformed-request",
        "'GET /ping HTTP/9.9\nHost: a\n\n',                          505, http-version-not-supported",
        "'G(T /ping HTTP/1.1\nHost: a\n\n',                          400, malformed-request",
        "'GET /ping?a=\u0001 HTTP/1.1\nHost: a\n\n',                 400, malformed-request",
        "'GET /ping HTTP/1.1\nHost: a\nBad Name: x\n\n',             400, malformed-request",
        "'GET /ping HTTP/1.1\nHost: a\nExpect: wonders\n\n',         417, expectation-failed",
        "'POST /echo/body HTTP/1.1\nHost: a\nContent-Length: x\n\n', 400, malformed-request",
        "'POST /echo/body HTTP/1.1\nHost: a\nTransfer-Encoding: br\n\n', 501, not-implemented"
    })
    void refusalsOfTheContainerAreProblems(String request, int status, String code) {
        byte[] bytes = request.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);

        assertProblem(RawHttp.exchange(port, bytes), status, code);
    }

    @Test
    void aHeaderBeyondTheLimitIs431() {
        String head = head("GET", "/ping", "X-Long: " + "x".repeat(20_000));

        assertProblem(RawHttp.send(port, head, ""), 431, "request-header-fields-too-large");
    }

    @Test
    void aTargetBeyondTheLimitIs414() {
        assertProblem(RawHttp.get(port, "/ping?" + "x".repeat(20_000)), 414, "uri-too-long");
    }

    @Test
    void aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre() {
        assertThat(RawHttp.send(port, head("DELETE", "/ping"), "").header("Allow")).contains("GET");
    }

    /**
     * Uses a server of its own, because requests of other tests may take as long on a busy machine.
     * Its bound also applies to the request's head, which the client sends right after it connects.
     */
    @Nested
    @TestPropertySource(properties = "server.tomcat.connection-timeout=8s")
    class WithLittlePatience {

        @Test
        void aLateBodyIsA408WithTheOutcomeRefused(@LocalServerPort int impatient) {
            String head = head("POST", "/echo/body", "Content-Length: 100");
            Reply reply = RawHttp.send(impatient, head, "{\"text\":");

            assertProblem(reply, 408, "request-timeout");
            assertThat(json(reply).get("outcome").stringValue()).isEqualTo("refused");
        }
    }

    @Test
    void brokenChunksAreAMalformedRequest() {
        String head = head("POST", "/echo/body", "Transfer-Encoding: chunked");

        assertProblem(RawHttp.send(port, head, "zz\r\n"), 400, "malformed-request");
    }

    /** The connection may have broken between a commit and its confirmation. */
    @ParameterizedTest
    @CsvSource({
        "PUT,  lost,        outcome-unknown, unknown",
        "PUT,  unconnected, unavailable,     refused",
        "GET,  lost,        unavailable,     "
    })
    void aConnectionThatBreaksLeavesAWriteUnknown(
            String method, String path, String code, String outcome) {
        Reply reply = RawHttp.send(port, head(method, "/echo/" + path), "");

        assertProblem(reply, 503, code);
        JsonNode stated = json(reply).get("outcome");
        assertThat(stated == null ? null : stated.stringValue()).isEqualTo(outcome);
    }

    @Test
    void anExceptionIsAnInternalProblemLoggedOnceWithoutIds(CapturedOutput output) {
        Reply reply = RawHttp.send(port, head("DELETE", "/echo/broken"), "");

        assertProblem(reply, 500, "internal");
        assertThat(json(reply).get("outcome").stringValue()).isEqualTo("unknown");
        assertThat(reply.body()).doesNotContain("user-4711");
        assertThat(output.getAll())
                .containsOnlyOnce("DELETE /echo/broken failed")
                .contains("java.lang.IllegalStateException", "EchoController.broken")
                .doesNotContain("user-4711");
    }

    @Test
    void aMalformedRequestLineIsNotLogged(CapturedOutput output) {
        RawHttp.get(port, "/ping?user_id=user-4711\u0001");

        assertThat(output.getAll()).doesNotContain("user-4711").doesNotContain("request target");
    }

    @Test
    void aHeadRequestGetsTheHeaderOfTheProblemAlone() {
        Reply reply = RawHttp.send(port, head("HEAD", "/nothing-here"), "");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.body()).isEmpty();
    }

    private static void assertProblem(Reply reply, int status, String code) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.header("Server")).isNull();
        JsonNode problem = json(reply);
        assertThat(problem.get("type").stringValue()).isEqualTo("urn:ovation:problem:" + code);
        assertThat(problem.get("code").stringValue()).isEqualTo(code);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("title").stringValue()).isNotBlank();
        assertThat(problem.get("detail").stringValue()).isNotBlank();
        assertThat(problem.get("error")).isEqualTo(problem.get("detail"));
        if (status == 400) {
            assertThat(problem.get("violations").get(0).get("field").stringValue()).isNotBlank();
            assertThat(problem.get("violations").get(0).get("message").stringValue()).isNotBlank();
        }
    }

    private static JsonNode json(Reply reply) {
        return new JsonMapper().readTree(reply.body());
    }
}
