package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.NestedExceptionUtils;

/** Pages of other origins at a service that is open to its own machine. */
class OriginsTest {

    private static final String ALLOWED = "https://app.example";
    private static final String PAGE = "Origin: " + ALLOWED;
    private static final String OTHER = "Origin: https://evil.example";

    private static GuardedService service;

    @BeforeAll
    static void start() {
        service =
                GuardedService.start(
                        "OVATION_CORS_ALLOWED_ORIGINS=https://first.example," + ALLOWED,
                        "management.server.port=0");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /echo/query,         200",
        "GET,    /echo/bound?number=x,400",
        "GET,    /nothing,            404",
        "POST,   /echo/query,         405",
        "DELETE, /echo/broken,        500",
        "POST,   /echo/busy,          503"
    })
    void aPageOfAnAllowedOriginIsServedAndReadsErrorsToo(String method, String path, int status) {
        Reply reply = service.send(method, path, PAGE);

        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
        assertThat(reply.header("Access-Control-Expose-Headers")).contains("Retry-After");
    }

    @Test
    void aPageOfAnotherOriginIsRefusedAndReadsNothing() {
        for (String method : new String[] {"GET", "POST", "OPTIONS"}) {
            Reply reply = service.send(method, "/nothing", OTHER);

            assertThat(reply.status()).isEqualTo(401);
            assertNoCors(reply);
        }
        assertNoCors(service.send("GET", "/echo/query", OTHER));
    }

    /** A cache must not use an answer without these headers for a page. */
    @Test
    void answersAreKeptByOrigin() {
        assertThat(service.send("GET", "/echo/query").header("Vary")).isEqualTo("Origin");
        assertThat(service.send("GET", "/echo/query", OTHER).header("Vary")).isEqualTo("Origin");
        assertThat(service.send("GET", "/echo/query", PAGE).header("Vary")).isEqualTo("Origin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATCH", "INVENTED", "TRACE"})
    void aPreflightForAMethodThatNoRouteHasIsNotAllowed(String method) {
        Reply reply =
                service.send(
                        "OPTIONS", "/echo/query", PAGE, "Access-Control-Request-Method: " + method);

        assertNoCors(reply);
    }

    @Test
    void aPreflightNamesTheAllowedHeaders() {
        Reply reply =
                service.send(
                        "OPTIONS",
                        "/echo/query",
                        PAGE,
                        "Access-Control-Request-Method: POST",
                        "Access-Control-Request-Headers: authorization,x-invented");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Access-Control-Allow-Headers")).isEqualTo("authorization");
    }

    /** The separate port of the actuator is for operators, not for pages. */
    @Test
    void theManagementPortKnowsNoOrigins() {
        int port = service.managementPort();
        Reply preflight =
                GuardedService.sendTo(
                        port,
                        "OPTIONS",
                        "/actuator/health",
                        PAGE,
                        "Access-Control-Request-Method: GET");
        Reply page = GuardedService.sendTo(port, "GET", "/actuator/health", PAGE);

        assertThat(preflight.status()).isEqualTo(401);
        assertThat(page.status()).isEqualTo(401);
        assertNoCors(preflight);
        assertNoCors(page);
        assertThat(GuardedService.sendTo(port, "GET", "/actuator/health").status()).isEqualTo(200);
    }

    @Test
    void cookiesAreAllowedWhereThatIsOrdered() {
        try (var withCookies =
                GuardedService.start(
                        "ovation.cors.allowed-origins=" + ALLOWED,
                        "ovation.cors.allow-credentials=true")) {
            Reply reply =
                    withCookies.send(
                            "OPTIONS", "/echo/query", PAGE, "Access-Control-Request-Method: GET");

            assertThat(reply.header("Access-Control-Allow-Credentials")).isEqualTo("true");
            assertThat(reply.header("Access-Control-Max-Age")).isEqualTo("3600");
        }
    }

    @Test
    void allOriginsEndTheStartWhereNoCredentialIsAskedFor() {
        assertThatThrownBy(() -> GuardedService.start("ovation.cors.allowed-origins=*"))
                .satisfies(
                        e ->
                                assertThat(NestedExceptionUtils.getMostSpecificCause(e))
                                        .hasMessageContaining("needs credentials")
                                        .hasMessageContaining("ovation.cors.allowed-origins"));
    }

    @Test
    void allOriginsMayBeAllowedInOpenMode() {
        try (var open =
                GuardedService.start(
                        "ovation.access.mode=open", "ovation.cors.allowed-origins=*")) {
            Reply reply = open.send("GET", "/echo/query", OTHER);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(reply.header("Access-Control-Allow-Credentials")).isNull();
        }
    }

    @Test
    void anIllFormedOriginEndsTheStart() {
        assertThatThrownBy(
                        () ->
                                GuardedService.start(
                                        "ovation.cors.allowed-origins=https://app.example/"))
                .satisfies(
                        e ->
                                assertThat(NestedExceptionUtils.getMostSpecificCause(e))
                                        .hasMessageContaining("https://app.example/"));
    }

    private static void assertNoCors(Reply reply) {
        assertThat(reply.header()).noneMatch(line -> line.startsWith("Access-Control-"));
    }
}
