package dev.ovation.web;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The test controller's limit is 1,024 bytes. */
@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BodiesOverHttpTest {

    @LocalServerPort int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "application/json",
                "application/x-www-form-urlencoded",
                "text/plain",
                "multipart/form-data; boundary=x",
                "no type at all"
            })
    void aBodyIsReadAsJsonForAnyContentType(String type) {
        for (String method : new String[] {"POST", "PUT", "DELETE"}) {
            Reply reply = send(method, type, "{\"text\":\"a=b&c\"}");

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo("{\"text\":\"a=b\\u0026c\"}");
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "~~                                   | body | is empty, a JSON object is expected",
                "null                                 | body | must be a JSON object",
                "[{\"text\":\"a\"}]                   | body | must be a JSON object",
                "{}                                   | text | is missing",
                "{\"text\":null}                      | text | is missing",
                "{\"text\":\"\"}                      | text | must not be empty",
                "{\"text\":5}                         | text | must be a string",
                "{\"text\":[\"a\"]}                   | text | must be a string",
                "{\"TEXT\":\"a\"}                     | text | is missing",
                "{\"text\":\"\\ud800\"}               | text | must not contain the unpaired surrogate U+D800",
                "{\"text\":\"\\u0000\"}               | text | must not contain the control character U+0000"
            })
    void invalidMembersOfABodyAreNamed(String body, String field, String message) {
        Reply reply = send("POST", "", body);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body())
                .contains("\"detail\":\"" + field + " " + message + "\"")
                .contains(
                        "\"violations\":[{\"field\":\"%s\",\"message\":\"%s\"}]"
                                .formatted(field, message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text",
                "{\"text\":\"a\"",
                "{\"text\":\"a\"} x",
                "{\"text\":\"a\"}{}",
                "{\"text\":\"a\",\"text\":\"a\"}",
                "{\"text\":\"a\",\"other\":{\"x\":1,\"x\":2}}",
                "{\"\\ud800\":1,\"\\ud800\":1}",
                "{'text':'a'}",
                "{\"text\":\"a\",}",
                "{\"text\":\"a\nb\"}"
            })
    void aBodyThatIsNotJsonIsRefused(String body) {
        Reply reply = send("POST", "", body);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("[{\"field\":\"body\",\"message\":\"is not JSON: ");
    }

    /**
     * The messages are the product's own, because those of the parser name its classes and
     * settings.
     */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "{\"text\":\"a\"          | it ends too early",
                "{\"text\":\"a\"}{}       | something follows its end",
                "{\"text\":\"a\"} [1]     | something follows its end",
                "{text:1}                 | it is malformed, or an object has two members of one name",
                "{\"text\":\"a\",\"text\":\"a\"} | it is malformed, or an object has two members of one name"
            })
    void aRefusalOfJsonSaysWhyAndWhere(String body, String reason) {
        assertThat(message(body)).matches("is not JSON: " + reason + " \\(line 1, column \\d+\\)");
    }

    @Test
    void aByteOrderMarkIsSkipped() {
        assertThat(send("POST", "", "\ufeff{\"text\":\"a\"}").body()).isEqualTo("{\"text\":\"a\"}");
        assertThat(send("POST", "", "\ufeff\ufeff{\"text\":\"a\"}").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "gzip, identity"})
    void aCompressedBodyIsUnsupported(String encoding) {
        String length = "Content-Length: 12";
        String head = head("POST", "/echo/body", length, "Content-Encoding: " + encoding);
        Reply reply = RawHttp.send(port, head, "{\"text\":\"a\"}");

        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.header("Accept-Encoding")).isEqualTo("identity");
        assertThat(reply.body())
                .contains("\"detail\":\"unsupported Content-Encoding: " + encoding + "\"");
    }

    @Test
    void anEncodingThatIsNoneIsFine() {
        String head =
                head("POST", "/echo/body", "Content-Length: 12", "Content-Encoding: Identity");

        assertThat(RawHttp.send(port, head, "{\"text\":\"a\"}").status()).isEqualTo(200);
    }

    @Test
    void jsonMayNest16LevelsDeep() {
        String deep = "{\"text\":\"a\",\"other\":" + "[".repeat(15) + "]".repeat(15) + "}";

        assertThat(send("POST", "", deep).status()).isEqualTo(200);
        assertThat(message(deep.replace("[]", "[[]]")))
                .startsWith(
                        "is not JSON: it nests deeper than 16 levels,"
                                + " or has too long a number or name");
        assertThat(message("{\"text\":" + "9".repeat(1001) + "}"))
                .startsWith(
                        "is not JSON: it nests deeper than 16 levels, or has too long a number");
    }

    private String message(String body) {
        String answer = send("POST", "", body).body();
        return new JsonMapper().readTree(answer).at("/violations/0/message").stringValue();
    }

    @Test
    void aBodyThatIsNotUtf8IsRefused() {
        byte[] head = (head("POST", "/echo/body", "Content-Length: 12") + "\r\n").getBytes();
        byte[] latin1 = "{\"text\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        var request = new ByteArrayOutputStream();
        request.writeBytes(head);
        request.writeBytes(latin1);

        Reply reply = RawHttp.exchange(port, request.toByteArray());

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("{\"field\":\"body\",\"message\":\"is not UTF-8\"}");
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(send("POST", "", "{\"new\":{\"x\":[1]},\"text\":\"👩‍💻\"}").body())
                .isEqualTo("{\"text\":\"👩‍💻\"}");
    }

    @Test
    void aBodyMayBeAsLargeAsTheLimit() {
        assertThat(send("POST", "", padded(1024)).status()).isEqualTo(200);
        assertThat(chunked(padded(1024)).status()).isEqualTo(200);
    }

    @Test
    void aBodyBeyondTheLimitIs413AlsoWithoutContentLength() {
        for (Reply reply : new Reply[] {send("POST", "", padded(1025)), chunked(padded(1025))}) {
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.body())
                    .contains("\"code\":\"content-too-large\"", "\"outcome\":\"refused\"")
                    .contains("\"limit\":1024");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsNotWaitedFor() {
        Reply reply =
                RawHttp.send(
                        port,
                        head("POST", "/echo/body", "Content-Length: 50000", "Expect: 100-continue"),
                        "");

        assertThat(reply.status()).isEqualTo(413);
    }

    private static String padded(int size) {
        String body = "{\"text\":\"a\"}";
        return body + " ".repeat(size - body.length());
    }

    private Reply chunked(String body) {
        String half = body.substring(0, 500);
        String rest = body.substring(500);
        return RawHttp.send(
                port,
                head("POST", "/echo/body", "Transfer-Encoding: chunked"),
                "%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n"
                        .formatted(half.length(), half, rest.length(), rest));
    }

    private Reply send(String method, String type, String body) {
        String head =
                head(
                        method,
                        "/echo/body",
                        "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length);
        String typed = type.isEmpty() ? head : head + "Content-Type: " + type + "\r\n";
        return RawHttp.send(port, typed, body);
    }
}
