package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

/** Every answer with status 400 or above has a request id, on each path through the service. */
class RequestIdApiTest extends ApiFixture {

    private static final String ID = "given-4711";
    private static final String HEADER = "X-Request-Id";

    @ParameterizedTest
    @CsvSource({
        "POST,   /reactions,                 400", // fast path
        "GET,    /reactions?namespace_id=x,  400",
        "GET,    /reactions?namespace_id=nobody&entity_id=1, 404",
        "POST,   /%72eactions,               400", // Spring MVC
        "GET,    /users?user_id=,            400",
        "GET,    /nothing-here,              404",
        "DELETE, /ping,                      405",
        "GET,    /actuator/nothing-here,     404",
        "GET,    /actuator/refresh,          405",
        "GET,    /actuator/health/nobody,    404",
        "GET,    /%zz,                       400" // container
    })
    void aProblemBearsTheIdOfItsRequest(String method, String target, int status) {
        String head = RawHttp.head(method, target, HEADER + ": " + ID);
        Reply reply = RawHttp.send(service.port(), head, "");

        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header(HEADER)).isEqualTo(ID);
        assertThat(member(reply)).isEqualTo(ID);
    }

    @Test
    void refusalsOfTheContainerHaveARequestId() {
        for (Reply reply :
                new Reply[] {
                    RawHttp.get(service.port(), "/ping?" + "x".repeat(20_000)),
                    RawHttp.send(
                            service.port(),
                            RawHttp.head("GET", "/ping", "X-Long: " + "x".repeat(20_000)),
                            "")
                }) {
            assertThat(reply.status()).isIn(414, 431);
            assertThat(reply.header(HEADER)).matches("[0-9a-f]{32}");
            assertThat(member(reply)).isEqualTo(reply.header(HEADER));
        }
    }

    @Test
    void theAnswerToHeadHasTheHeader() {
        Reply reply =
                RawHttp.send(
                        service.port(),
                        RawHttp.head("HEAD", "/nothing-here", HEADER + ": " + ID),
                        "");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header(HEADER)).isEqualTo(ID);
    }

    @Test
    void theTraceOfAClientThatTracesIsTheId() {
        Answer answer =
                service.send(
                        "GET",
                        "/nothing-here",
                        null,
                        "traceparent",
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

        assertThat(header(answer, HEADER)).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    void eachRequestWithoutAnIdGetsANewOne() {
        Answer first = service.get("/nothing-here");
        Answer second = service.get("/nothing-here");

        assertThat(text(first.json(), "request_id")).isEqualTo(header(first, HEADER));
        assertThat(header(first, HEADER)).isNotEqualTo(header(second, HEADER));
    }

    @Test
    void successfulAnswersHaveNoRequestId() {
        given("letters", "ann", "a");
        for (String path :
                new String[] {
                    "/reactions?namespace_id=letters&entity_id=" + entity,
                    "/ping",
                    "/actuator/health/liveness",
                    "/configuration/namespace?namespace_id=letters"
                }) {
            Answer answer = service.send("GET", path, null, HEADER, ID);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(header(answer, HEADER)).as(path).isNull();
        }
        String body = Instance.body("letters", entity, "ben", "a");
        assertThat(header(service.send("POST", "/reactions", body, HEADER, ID), HEADER)).isNull();
    }

    private static String member(Reply reply) {
        return JsonMapper.shared().readTree(reply.body()).get("request_id").stringValue();
    }
}
