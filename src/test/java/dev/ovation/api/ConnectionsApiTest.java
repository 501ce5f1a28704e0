package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.web.Http2Client;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Protocols of client connections. */
class ConnectionsApiTest extends ApiFixture {

    @Test
    void readsAndWritesGoThroughHttp2WithoutTls() {
        byte[] body =
                Instance.body("posts", entity, "ann", "👩‍💻").getBytes(StandardCharsets.UTF_8);

        assertThat(Http2Client.get(service.port(), "/ping").body()).isEqualTo("pong");
        assertThat(Http2Client.send(service.port(), "POST", "/reactions", Map.of(), body).body())
                .isEqualTo(OK);
        assertThat(counts("posts")).isEqualTo("👩‍💻 1");
    }

    @Test
    void oneConnectionCarriesAsManyRequestsAsOneLikes() throws IOException {
        byte[] ping = "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes();
        try (var socket = new Socket("127.0.0.1", service.port())) {
            socket.setSoTimeout(30_000);
            var in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            for (int i = 0; i < 1_003; i++) {
                socket.getOutputStream().write(ping);
                assertThat(in.readLine()).startsWith("HTTP/1.1 200");
                String line = in.readLine();
                while (!line.isEmpty()) {
                    assertThat(line).isNotEqualToIgnoringCase("Connection: close");
                    line = in.readLine();
                }
                var pong = new char[4];
                for (int read = 0; read < 4; ) {
                    read += in.read(pong, read, 4 - read);
                }
                assertThat(new String(pong)).isEqualTo("pong");
            }
        }
    }
}
