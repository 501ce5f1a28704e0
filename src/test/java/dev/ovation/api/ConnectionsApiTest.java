package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** How clients may connect. */
class ConnectionsApiTest extends ApiFixture {

    @Test
    void readsAndWritesGoThroughHttp2WithoutTls() throws Exception {
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            // The first request carries the upgrade.
            assertHttp2(client.send(request("/ping").build(), BodyHandlers.ofString()), "pong");
            String body = Instance.body("posts", entity, "ann", "👩‍💻");
            assertHttp2(
                    client.send(
                            request("/reactions").POST(BodyPublishers.ofString(body)).build(),
                            BodyHandlers.ofString()),
                    OK);
        }
        assertThat(counts("posts")).isEqualTo("👩‍💻 1");
    }

    /** More than the window that a stream has before the client says how wide it is to be. */
    @Test
    void theFirstAnswerThroughHttp2MayBeLong() throws Exception {
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            var response = client.send(request("/v3/api-docs").build(), BodyHandlers.ofString());

            assertThat(response.body()).hasSizeGreaterThan(65_535);
            assertHttp2(response, service.get("/v3/api-docs").body());
        }
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

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + service.port() + path));
    }

    private static void assertHttp2(HttpResponse<String> response, String body) {
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(body);
    }
}
