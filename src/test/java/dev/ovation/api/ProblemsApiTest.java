package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Instance.Exchange;
import dev.ovation.testing.TwoInstances;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/** The block "Errors" of the contract; each kind of refusal is tested with its cause. */
class ProblemsApiTest extends ApiFixture {

    private static final int MAX_BODY = 128 * 1024;

    @ParameterizedTest
    @CsvSource({
        "GET,    /nothing-here,              404, not-found",
        "GET,    /reactions/,                404, not-found",
        "GET,    /reactions/posts,           404, not-found",
        "GET,    /actuator/nothing-here,     404, not-found",
        "GET,    /actuator/env,              404, not-found",
        "GET,    /actuator/refresh,          405, method-not-allowed",
        "GET,    /error,                     404, not-found",
        "GET,    /reactions/batch,           405, method-not-allowed",
        "GET,    /%zz,                       400, malformed-request",
        "GET,    /reactions?entity_id=%zz,   400, malformed-request",
        "GET,    /reactions?entity_id=%ff,   400, malformed-request"
    })
    void eachFailureIsAProblem(String method, String target, int status, String code) {
        Reply reply = RawHttp.send(service.port(), RawHttp.head(method, target), "");

        assertProblem(answer(method, target, reply), status, code);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,    /ping",
        "PATCH,  /reactions",
        "DELETE, /configuration",
        "POST,   /actuator/health",
        "DELETE, /actuator/refresh"
    })
    void aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre(String method, String path) {
        Answer answer = service.send(method, path, null);

        assertRefused(answer, 405, "method-not-allowed");
        assertThat(header(answer, "Allow")).isNotBlank().doesNotContain(method);
    }

    @Test
    void aWriteToAnUnknownPathIsRefused() {
        assertRefused(service.send("POST", "/nothing-here", "{}"), 404, "not-found");
    }

    @Test
    void anUnsupportedAcceptHeaderIsNotAcceptable() {
        assertProblem(
                service.send("GET", "/actuator/health", null, "Accept", "image/png"),
                406,
                "not-acceptable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "text", "[]", "null", "{", "{\"a\":1}{}", "{\"a\":1,\"a\":2}", "a=b"})
    void aBodyThatIsNoJsonObjectIsMalformed(String body) {
        assertViolations(service.send("POST", "/reactions", body), "body");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /reactions?force=yes,                force",
        "POST, /reactions?force=1,                  force",
        "POST, /reactions?force=,                   force",
        "POST, /reactions?force=TRUE,               force",
        "POST, /reactions?if_exists=true,           if_exists",
        "POST, /reactions?force=true&force=true,    force"
    })
    void flagsHaveTwoValues(String method, String target, String field) {
        assertViolations(
                service.send(method, target, Instance.body("letters", entity, "ann", "a")), field);
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void detailsIsAFlagToo() {
        assertViolations(read(service, "letters", "details", "1"), "details");
    }

    @Test
    void aBodyBeyondTheLimitIsTooLarge() {
        String body = padded(MAX_BODY + 1);

        assertRefused(service.send("POST", "/reactions", body), 413, "content-too-large");
        assertOk(service.send("POST", "/reactions", padded(MAX_BODY)));
    }

    @Test
    void aBodyBeyondTheLimitIsTooLargeAlsoInChunks() {
        String body = padded(MAX_BODY + 1);
        String chunked = "%x\r\n%s\r\n0\r\n\r\n".formatted(body.length(), body);
        String head = RawHttp.head("POST", "/reactions", "Transfer-Encoding: chunked");

        Reply reply = RawHttp.send(service.port(), head, chunked);

        assertRefused(answer("POST", "/reactions", reply), 413, "content-too-large");
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void aTargetBeyondTheLimitIsTooLong() {
        String target = "/reactions?entity_id=" + "x".repeat(20_000);
        Reply reply = RawHttp.get(service.port(), target);

        assertProblem(answer("GET", target, reply), 414, "uri-too-long");
    }

    @Test
    void aHeaderBeyondTheLimitIsTooLarge() {
        String head = RawHttp.head("GET", "/ping", "X-Long: " + "x".repeat(20_000));

        assertProblem(
                answer("GET", "/ping", RawHttp.send(service.port(), head, "")),
                431,
                "request-header-fields-too-large");
    }

    @Test
    void aConfigurationOfAnotherTypeIsUnsupported() {
        for (String type : new String[] {"text/plain", "application/x-www-form-urlencoded"}) {
            assertRefused(
                    service.send("POST", "/configuration", "{}", "Content-Type", type),
                    415,
                    "unsupported-media-type");
        }
        assertRefused(service.send("POST", "/configuration", "{}"), 415, "unsupported-media-type");
    }

    private String padded(int size) {
        String body = Instance.body("letters", entity, "ann", "a");
        return body + " ".repeat(size - body.length());
    }

    /** Returns the answer after the document has judged it, as in other tests. */
    private static Answer answer(String method, String target, Reply reply) {
        var answer =
                new Answer(
                        reply.status(),
                        Map.of(
                                "Content-Type", reply.header("Content-Type"),
                                "Cache-Control", reply.header("Cache-Control"),
                                "X-Request-Id", reply.header("X-Request-Id")),
                        reply.body());
        TwoInstances.judge().check(new Exchange(method, target, null, List.of(), answer));
        return answer;
    }
}
