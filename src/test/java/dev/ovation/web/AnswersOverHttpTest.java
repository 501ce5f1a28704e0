package dev.ovation.web;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class AnswersOverHttpTest {

    @LocalServerPort int port;

    @Test
    void pingAndRootAreAnswered() {
        Reply ping = RawHttp.get(port, "/ping");
        Reply root = RawHttp.get(port, "/");

        assertThat(ping.body()).isEqualTo("pong");
        assertThat(ping.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(root.body()).isEqualTo("{\"status\":\"Ok\"}");
        assertThat(root.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
    }

    @Test
    void anAnswerStatesItsLengthButNotTheServer() {
        Reply reply = RawHttp.get(port, "/ping");

        assertThat(reply.header("Content-Length")).isEqualTo("4");
        assertThat(reply.header("Connection")).isEqualTo("close");
        assertThat(reply.header("Server")).isNull();
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aClientOfHttp10IsAnsweredAndLetGo() {
        Reply reply =
                RawHttp.exchange(
                        port, "GET /ping HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("pong");
    }

    @Test
    void aHeadRequestGetsTheHeaderOfTheAnswerAlone() {
        Reply reply = RawHttp.send(port, head("HEAD", "/ping"), "");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Length")).isEqualTo("4");
        assertThat(reply.body()).isEmpty();
    }

    @Test
    void aConnectionIsKeptForMoreRequestsThanTomcatsHundred() throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(120_000);
            String request = "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.repeat(377).getBytes());
            socket.getOutputStream().write((head("GET", "/") + "\r\n").getBytes());
            String answers = new String(socket.getInputStream().readAllBytes());

            assertThat(answers.split("\r\n\r\npong", -1)).hasSize(377 + 1);
            assertThat(answers).endsWith("{\"status\":\"Ok\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "W/%s", "\"a\", W/%s", "*", "\"x,y\" , %s,\"z\""})
    void aMatchingIfNoneMatchAnswers304(String ifNoneMatch) {
        Reply first = RawHttp.get(port, "/echo/query?text=1");
        String etag = first.header("ETag");
        Reply second = ask("/echo/query?text=1", ifNoneMatch.replace("%s", etag));

        assertThat(etag).matches("\"[A-Za-z0-9_-]{22}\"");
        assertThat(second.status()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(second.header("ETag")).isEqualTo(etag);
        assertThat(second.header("Cache-Control")).isEqualTo(first.header("Cache-Control"));
        assertThat(second.header("Content-Type")).isNull();
    }

    @Test
    void anotherTagGetsTheAnswer() {
        String etag = RawHttp.get(port, "/echo/query?text=1").header("ETag");

        assertThat(ask("/echo/query?text=2", etag).status()).isEqualTo(200);
        assertThat(ask("/echo/query?text=1", etag.replace("\"", "")).status()).isEqualTo(200);
    }

    private Reply ask(String target, String ifNoneMatch) {
        return RawHttp.send(port, head("GET", target, "If-None-Match: " + ifNoneMatch), "");
    }
}
