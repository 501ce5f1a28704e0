package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.Instance;
import dev.ovation.testing.TwoInstances;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Pages of other origins at a service that requires credentials. */
@ExtendWith(TwoInstances.class)
class BrowsersApiTest extends ApiFixture {

    private static final String ALLOWED = "https://app.example";
    private static final String PAGE = "Origin: " + ALLOWED;
    private static final String OTHER = "Origin: https://evil.example";

    /** Headers that the Fetch standard permits for each page. */
    private static final Set<String> SAFE =
            Set.of(
                    "accept",
                    "accept-language",
                    "cache-control",
                    "content-language",
                    "content-length",
                    "content-type",
                    "expires",
                    "last-modified",
                    "pragma");

    @TempDir static Path folder;
    private static Instance guarded;
    private static String key;

    @BeforeAll
    static void start() {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        key = keys.add("page", "scopes: [reactions:read, reactions:write]");
        String operator = keys.add("operator", "scopes: [operate]");
        guarded =
                TwoInstances.beside(
                        "ovation.access.keys=" + keys.file(),
                        "ovation.access.anonymous=reactions:read",
                        "OVATION_CORS_ALLOWED_ORIGINS=http://localhost:3000," + ALLOWED);
        guarded.attached("X-Api-Key", operator);
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/reactions,          GET",
        "/reactions,          POST",
        "/reactions,          PUT",
        "/reactions,          DELETE",
        "/%72eactions,        POST",
        "/reactions/query,    POST",
        "/reactions/batch,    POST",
        "/users?user_id=ann,  HEAD",
        "/imports?kind=users, POST"
    })
    void aPreflightIsAnsweredWithoutACredential(String target, String method) {
        Reply reply =
                preflight(
                        target,
                        method,
                        PAGE,
                        "Access-Control-Request-Headers: authorization,content-type,idempotency-key");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
        assertThat(list(reply, "Access-Control-Allow-Methods"))
                .containsExactlyInAnyOrder("get", "head", "post", "put", "delete");
        assertThat(list(reply, "Access-Control-Allow-Headers"))
                .containsExactlyInAnyOrder("authorization", "content-type", "idempotency-key");
        assertThat(reply.header("Access-Control-Max-Age")).isEqualTo("3600");
        assertThat(reply.header("Access-Control-Allow-Credentials")).isNull();
        assertThat(reply.header("Vary")).isEqualTo("Origin");
    }

    @ParameterizedTest
    @CsvSource({"/reactions, GET", "/%72eactions, POST", "/users, PUT", "/nothing, GET"})
    void aPreflightOfAnotherOriginNeedsACredentialAsEverythingElse(String target, String method) {
        Reply reply = preflight(target, method, OTHER);

        assertThat(reply.status()).isEqualTo(401);
        assertNoCors(reply);
    }

    /** No browser sends this request; it must not bypass the authentication filter. */
    @Test
    void withoutARequestedMethodItIsNoPreflight() {
        assertThat(send("OPTIONS", "/users", PAGE).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({"/reactions", "/%72eactions"})
    void aPageReadsTheAnswerToACallWithACredential(String path) {
        String body = Instance.body("posts", entity, "ann", "👍");
        Reply written = write(path, body);
        Reply read = send("GET", path + "?user_id=ann&" + ids(), PAGE, "X-Api-Key: " + key);

        assertThat(written.body()).isEqualTo(OK);
        assertThat(read.status()).isEqualTo(200);
        for (Reply reply : List.of(written, read)) {
            assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
            assertThat(reply.header("Access-Control-Allow-Credentials")).isNull();
            assertThat(list(reply, "Access-Control-Expose-Headers"))
                    .contains("etag", "retry-after", "x-request-id", "location");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /reactions?namespace_id=posts&entity_id=e&user_id=ann, '',   401",
        "GET,  /users?user_id=ann,                                    '',   401",
        "GET,  /users?user_id=ann,                                    x,    401",
        "GET,  /users?user_id=ann,                                    key,  403",
        "POST, /reactions,                                            key,  400",
        "GET,  /reactions?namespace_id=none&entity_id=e,              key,  404",
        "PUT,  /ping,                                                 key,  405"
    })
    void aPageReadsWhyItIsRefused(String method, String target, String credential, int status) {
        String value = credential.equals("key") ? key : credential;
        Reply reply =
                value.isEmpty()
                        ? send(method, target, PAGE)
                        : send(method, target, PAGE, "X-Api-Key: " + value);

        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
        assertThat(list(reply, "Access-Control-Expose-Headers")).contains("x-request-id");
    }

    /**
     * The sender may be a program, or a page behind the same proxy; the browser protects other
     * pages.
     */
    @Test
    void aCallOfAnotherOriginIsServedWithoutTheHeaders() {
        for (String path : List.of("/reactions?", "/%72eactions?")) {
            Reply reply = send("GET", path + ids(), OTHER, "X-Api-Key: " + key);

            assertThat(reply.status()).isEqualTo(200);
            assertNoCors(reply);
        }
        assertNoCors(send("GET", "/users?user_id=ann", OTHER));
    }

    /** In addition to the headers on which the answer itself depends. */
    @Test
    void publicAnswersVaryByOrigin() {
        for (String path : List.of("/reactions?", "/%72eactions?")) {
            Reply reply = send("GET", path + ids());

            assertThat(reply.header("Cache-Control")).startsWith("public");
            assertThat(reply.header())
                    .contains("Vary: Origin", "Vary: Authorization, X-Api-Key")
                    .filteredOn(line -> line.startsWith("Vary:"))
                    .hasSize(2);
        }
    }

    @Test
    void itIsOffByDefault() {
        Reply preflight =
                RawHttp.send(
                        service.port(),
                        RawHttp.head(
                                "OPTIONS",
                                "/reactions",
                                "Origin: http://localhost:3000",
                                "Access-Control-Request-Method: GET"),
                        "");
        Reply read =
                RawHttp.send(
                        service.port(),
                        RawHttp.head("GET", "/reactions?" + ids(), "Origin: http://localhost:3000"),
                        "");

        assertThat(read.status()).isEqualTo(200);
        assertNoCors(read);
        assertThat(read.header("Vary")).isNull();
        assertNoCors(preflight);
    }

    @Test
    void pagesMayReadAndSendEveryHeaderOfTheDocument() {
        ApiDocument document = TwoInstances.document();
        var sent = new TreeSet<String>();
        document.operations().stream()
                .flatMap(operation -> document.parameters(operation).stream())
                .filter(each -> each.get("in").stringValue().equals("header"))
                .forEach(each -> sent.add(lower(each.get("name").stringValue())));
        var read = new TreeSet<String>();
        for (String part : List.of("/paths", "/components/responses")) {
            for (JsonNode headers : document.json().at(part).findValues("headers")) {
                headers.propertyNames().forEach(name -> read.add(lower(name)));
            }
        }
        sent.removeAll(SAFE);
        read.removeAll(SAFE);
        assertThat(sent).contains("if-match", "idempotency-key");
        assertThat(read).contains("etag", "retry-after");

        Reply preflight =
                preflight(
                        "/reactions",
                        "POST",
                        PAGE,
                        "Access-Control-Request-Headers: " + String.join(",", sent));
        assertThat(list(preflight, "Access-Control-Allow-Headers")).containsAll(sent);
        assertThat(list(preflight, "Access-Control-Expose-Headers")).containsAll(read);
    }

    private static Reply preflight(String target, String method, String origin, String... more) {
        String[] lines = Arrays.copyOf(more, more.length + 2);
        lines[more.length] = origin;
        lines[more.length + 1] = "Access-Control-Request-Method: " + method;
        return send("OPTIONS", target, lines);
    }

    private static Reply send(String method, String target, String... lines) {
        return RawHttp.send(guarded.port(), RawHttp.head(method, target, lines), "");
    }

    private static Reply write(String path, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        String head =
                RawHttp.head("POST", path, PAGE, "X-Api-Key: " + key, "Content-Length: " + length);
        return RawHttp.send(guarded.port(), head, body);
    }

    private static void assertNoCors(Reply reply) {
        assertThat(reply.header()).noneMatch(line -> line.startsWith("Access-Control-"));
    }

    /** The items of a list header, in lower case. */
    private static List<String> list(Reply reply, String name) {
        return Arrays.stream(String.valueOf(reply.header(name)).split(","))
                .map(each -> lower(each.strip()))
                .toList();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private String ids() {
        return "namespace_id=posts&entity_id=" + entity;
    }
}
