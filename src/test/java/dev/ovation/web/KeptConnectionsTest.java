package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections of HTTP/1.1 after a 400. */
@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class KeptConnectionsTest {

    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String PING = "GET /ping" + HOST + "\r\n";

    @LocalServerPort int port;

    private record Answer(int status, List<String> header, String body) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /echo/body" + HOST + "Content-Length: 5\r\n\r\n{nope",
                "POST /echo/b%6fdy" + HOST + "Content-Length: 5\r\n\r\n{nope",
                "POST /echo/body"
                        + HOST
                        + "Transfer-Encoding: chunked\r\n\r\n5\r\n{nope\r\n0\r\n\r\n",
                "GET /echo/query?text=%zz" + HOST + "\r\n",
                "HEAD /echo/query?text=%zz" + HOST + "\r\n",
                "POST /echo/body?text=%zz" + HOST + "Content-Length: 5\r\n\r\n{nope"
            })
    void theConnectionIsKept(String malformed) throws IOException {
        try (var socket = connect()) {
            for (int i = 0; i < 3; i++) {
                Answer refused = exchange(socket, malformed);
                assertThat(refused.status).isEqualTo(400);
                assertThat(refused.header).noneMatch(line -> line.startsWith("connection:"));
                if (malformed.startsWith("HEAD")) {
                    assertThat(refused.body).isEmpty();
                } else {
                    assertThat(refused.body).contains("\"status\":400");
                }
                assertThat(exchange(socket, PING).body).isEqualTo("pong");
            }
        }
    }

    @Test
    void requestsThatWereSentTogetherAreAnsweredInOrder() throws IOException {
        String malformed = "GET /echo/query?text=%zz" + HOST + "\r\n";
        try (var socket = connect()) {
            send(socket, malformed + PING + malformed + malformed + PING);

            for (int status : new int[] {400, 200, 400, 400, 200}) {
                assertThat(read(socket, "GET").status).isEqualTo(status);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /echo/query?text=%zz" + HOST + "Connection: close\r\n\r\n",
                "GET /echo/query?text=%zz HTTP/1.0\r\nHost: localhost\r\n\r\n",
                "GET /ping HTTP/1.1\r\n\r\n",
                "GET /p ing HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /ping" + HOST + "Bad Header: x\r\n\r\n",
                "POST /echo/body" + HOST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                "POST /echo/body" + HOST + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{nope"
            })
    void theConnectionIsClosedWhenTheClientWantsItOrTheBytesAreNotUnderstood(String request)
            throws IOException {
        try (var socket = connect()) {
            send(socket, PING + request + PING);
            assertThat(read(socket, "GET").status).isEqualTo(200);

            Answer refused = read(socket, "GET");

            assertThat(refused.status).isEqualTo(400);
            assertThat(refused.header).contains("connection: close");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** The decision about one answer must not be that about the next one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /p ing HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /ping HTTP/1.1\r\n\r\n"
            })
    void bytesThatAreNotUnderstoodAfterAKeptConnectionCloseIt(String next) throws IOException {
        try (var socket = connect()) {
            send(socket, "GET /echo/query?text=%zz" + HOST + "\r\n" + next + PING);
            Answer kept = read(socket, "GET");
            assertThat(kept.status).isEqualTo(400);
            assertThat(kept.header).noneMatch(line -> line.startsWith("connection:"));

            Answer closed = read(socket, "GET");

            assertThat(closed.status).isEqualTo(400);
            assertThat(closed.header).contains("connection: close");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(120_000);
        return socket;
    }

    private static Answer exchange(Socket socket, String request) throws IOException {
        send(socket, request);
        return read(socket, request.substring(0, request.indexOf(' ')));
    }

    private static void send(Socket socket, String requests) throws IOException {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads one answer; its Content-Length bounds the body. */
    private static Answer read(Socket socket, String method) throws IOException {
        InputStream in = socket.getInputStream();
        int status = Integer.parseInt(line(in).split(" ")[1]);
        var header = new ArrayList<String>();
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            header.add(line.toLowerCase());
            if (line.toLowerCase().startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        byte[] body = method.equals("HEAD") ? new byte[0] : in.readNBytes(length);
        return new Answer(status, header, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        int next = in.read();
        while (next != '\n') {
            assertThat(next).as("end of the connection after " + line).isNotEqualTo(-1);
            line.append((char) next);
            next = in.read();
        }
        return line.toString().stripTrailing();
    }
}
