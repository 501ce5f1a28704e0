package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Clients that send byte by byte, each within the time that Tomcat waits for one. Without a bound
 * on the whole they would go on for ever.
 */
@SpringBootTest(
        classes = WebTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "ovation.http.head=1s",
            "ovation.http.grace=1s",
            "server.tomcat.connection-timeout=60s"
        })
class SlowRequestsTest {

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

    /** Not one byte of it is of the body. */
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

    private static String post(String path, String length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n".formatted(path, length);
    }

    /** A connection on which one byte follows the other, and what came back. */
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
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }

        private void read() {
            try (InputStream in = socket.getInputStream()) {
                for (int next = in.read(); next >= 0; next = in.read()) {
                    answer.append((char) next);
                }
            } catch (IOException e) {
                return; // it was reset: more had been sent than was read
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
