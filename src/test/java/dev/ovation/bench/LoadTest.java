package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

@Beside
class LoadTest {

    /** Long enough for a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void everyRequestThatIsDueIsSentAndEveryFailureCounted() throws Exception {
        var asked = new AtomicInteger();
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = HttpServer.create(address, 0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext(
                    "/",
                    exchange -> {
                        int status = asked.incrementAndGet() % 10 == 0 ? 503 : 200;
                        exchange.sendResponseHeaders(status, 2);
                        exchange.getResponseBody().write("ok".getBytes());
                        exchange.close();
                    });
            server.start();
            var load =
                    new ConstantRate(
                                    List.of(server.getAddress().getPort()),
                                    7,
                                    500,
                                    List.of(Template.of("GET /{1-9}")))
                            .run(Duration.ofSeconds(1), PATIENCE);

            assertThat(load.answers()).isEqualTo(500);
            assertThat(asked).hasValue(500);
            assertThat(load.errors()).isEqualTo(50);
            assertThat(load.percentile(100)).isGreaterThanOrEqualTo(load.percentile(50));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aMalformedAnswerIsAFailureAndTheLoadContinues() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answerMalformed(server));
            var load =
                    new ConstantRate(
                                    List.of(server.getLocalPort()),
                                    3,
                                    30,
                                    List.of(Template.of("GET /")))
                            .run(Duration.ofSeconds(1), PATIENCE);

            assertThat(load.errors()).isEqualTo(30);
            assertThat(load.answers()).isZero();
            assertThat(load.reached()).isZero();
        }
    }

    private static void answerMalformed(ServerSocket server) {
        try {
            while (true) {
                try (var socket = server.accept()) {
                    socket.getInputStream().read(new byte[1000]);
                    socket.getOutputStream().write("what?\n".getBytes());
                }
            }
        } catch (IOException _) {
            // The end.
        }
    }

    @Test
    void placesOfARequestAreFilledIn() {
        var template = Template.of("3 POST /a?b={2-2} {\"user\":\"{n}\"}");

        assertThat(template.weight()).isEqualTo(3);
        assertThat(new String(template.request()))
                .startsWith("POST /a?b=2 HTTP/1.1\r\n")
                .matches("(?s).*\r\n\r\n\\{\"user\":\"[0-9a-z-]+\"}");
        assertThat(Template.filled("{n}")).isNotEqualTo(Template.filled("{n}"));
    }

    @Test
    void processorTimeIsReadBehindAnyName() {
        String stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0 30";

        assertThat(ProcessTime.ticks(stat)).isEqualTo(127);
    }
}
