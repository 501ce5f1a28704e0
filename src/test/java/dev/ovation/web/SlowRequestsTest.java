package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Clients that send byte by byte, each within Tomcat's time-out for one. Without a bound on the
 * whole request they would continue for ever.
 */
@Beside
@SpringBootTest(
        classes = WebTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "ovation.internal.http.max-header-time=1s",
            "ovation.internal.http.body-grace=1s",
            "server.tomcat.connection-timeout=60s",
            "server.tomcat.keep-alive-timeout=10m"
        })
class SlowRequestsTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    /** The longest frame that the server accepts: longer than a trickle lasts. */
    private static final int LENGTH = 16_384;

    private static final String START = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String PREFACE = START + frame(SETTINGS, 0, 0, 0);

    @LocalServerPort int port;

    @Test
    void aHeadThatTricklesEndsItsConnection() throws Exception {
        try (var client = new Trickle("GET /ping HTTP/1.1\r\nHost: localhost\r\nX: ")) {
            client.goOnUntilClosed();

            assertThat(client.answer()).isEmpty();
        }
    }

    @Test
    void aRequestLineThatTricklesEndsItsConnection() throws Exception {
        try (var client = new Trickle("GET /")) {
            client.goOnUntilClosed();

            assertThat(client.answer()).isEmpty();
        }
    }

    @Test
    void theHeadOfTheNextRequestOfAConnectionHasTheSameBound() throws Exception {
        try (var client = new Trickle("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\nGET /")) {
            client.goOnUntilClosed();

            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("pong");
        }
    }

    @Test
    void emptyLinesThatBeginNoRequestEndTheirConnection() throws Exception {
        try (var client = new Trickle("")) {
            client.goOnUntilClosed("\r\n");

            assertThat(client.answer()).isEmpty();
        }
    }

    @Test
    void anEmptyLineMayStandBeforeARequest() throws Exception {
        String request = "\r\nGET /ping HTTP/1.1\r\nHost: localhost\r\n";
        try (var client = new Trickle(request + "Connection: close\r\n\r\n")) {
            client.awaitClosed();

            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("pong");
        }
    }

    @Test
    void aBodyThatTricklesIs408() throws Exception {
        try (var client = new Trickle(post("/echo/body", "Content-Length: 1000") + "{")) {
            client.goOnUntilClosed();

            assertThat(client.answer())
                    .startsWith("HTTP/1.1 408")
                    .contains("\"code\":\"request-timeout\"", "\"outcome\":\"refused\"");
        }
    }

    @Test
    void aBodyThatStandsStillIs408() throws Exception {
        try (var client = new Trickle(post("/echo/body", "Content-Length: 1000") + "{")) {
            client.awaitClosed();

            assertThat(client.answer()).startsWith("HTTP/1.1 408");
        }
    }

    /** No byte of the extension belongs to the body. */
    @Test
    void anExtensionOfAChunkMayNotTrickleEither() throws Exception {
        String chunked = post("/echo/body", "Transfer-Encoding: chunked");
        try (var client = new Trickle(chunked + "1\r\n{\r\n1;x=")) {
            client.goOnUntilClosed();

            assertThat(client.answer()).startsWith("HTTP/1.1 408");
        }
    }

    @Test
    void anUnreadBodyMayNotTrickleEither() throws Exception {
        try (var client = new Trickle(post("/nothing-here", "Content-Length: 100000"))) {
            client.goOnUntilClosed();

            assertThat(client.answer()).startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void aHeadOfHttp2ThatTricklesEndsItsConnection() throws Exception {
        try (var client = new Trickle(PREFACE + frame(HEADERS, 0, 1, LENGTH))) {
            client.goOnUntilClosed();
        }
    }

    @Test
    void theNextFrameOfAHeadOfHttp2MayNotTrickleEither() throws Exception {
        String head = frame(HEADERS, 0, 1, 1) + "x" + frame(CONTINUATION, 0, 1, LENGTH);
        try (var client = new Trickle(PREFACE + head)) {
            client.goOnUntilClosed();
        }
    }

    @Test
    void aBodyOfHttp2ThatTricklesWithinAFrameEndsItsConnection() throws Exception {
        try (var client = new Trickle(PREFACE + postOfHttp2() + frame(DATA, 0, 1, LENGTH))) {
            client.goOnUntilClosed();
        }
    }

    @Test
    void aBodyOfHttp2ThatStandsStillEndsItsStream() throws Exception {
        String reset = frame(RST_STREAM, 0, 1, 4);
        try (var client = new Trickle(PREFACE + postOfHttp2())) {
            Wait.until("the stream is reset", () -> client.answer().contains(reset));
        }
    }

    @Test
    void settingsOfHttp2ThatTrickleEndTheirConnection() throws Exception {
        try (var client = new Trickle(START + frame(SETTINGS, 0, 0, LENGTH / 6 * 6))) {
            client.goOnUntilClosed(Character.toString(0));
        }
    }

    /** The frame's own header; the bytes of the content come after it. */
    private static String frame(int type, int flags, int stream, int length) {
        return new String(
                new char[] {
                    (char) (length >> 16),
                    (char) (length >> 8 & 0xff),
                    (char) (length & 0xff),
                    (char) type,
                    (char) flags,
                    0,
                    0,
                    0,
                    (char) stream
                });
    }

    /** By RFC 7541: two fields of the static table, and the values of two others. */
    private static String postOfHttp2() {
        String fields = "\u0083\u0086" + field(4, "/echo/body") + field(1, "localhost");
        return frame(HEADERS, END_HEADERS, 1, fields.length()) + fields;
    }

    private static String field(int name, String value) {
        return (char) name + Character.toString(value.length()) + value;
    }

    private static String post(String path, String length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n".formatted(path, length);
    }

    /** A connection that sends byte after byte, and its answer. */
    private final class Trickle implements AutoCloseable {

        private final Socket socket = new Socket("127.0.0.1", port);
        private final StringBuffer answer = new StringBuffer();
        private final Thread reader = Thread.ofVirtual().start(this::read);

        Trickle(String begin) throws IOException {
            send(begin);
        }

        void goOnUntilClosed() {
            goOnUntilClosed("x");
        }

        void goOnUntilClosed(String part) {
            Wait.until(
                    "the connection is closed",
                    () -> {
                        try {
                            send(part);
                        } catch (IOException e) {
                            return true;
                        }
                        return !reader.isAlive();
                    });
            awaitClosed();
        }

        void awaitClosed() {
            Wait.until("the answer has ended", () -> !reader.isAlive());
        }

        String answer() {
            return answer.toString();
        }

        private void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        private void read() {
            try (InputStream in = socket.getInputStream()) {
                for (int next = in.read(); next >= 0; next = in.read()) {
                    answer.append((char) next);
                }
            } catch (IOException e) {
                return; // it was reset: the server had not read all bytes
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
