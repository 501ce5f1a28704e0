package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.Wait;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver of webhooks on this machine, which keeps each message with the answer to it. */
final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger now = new AtomicInteger();

    /** Greatest number of messages that were received at the same time. */
    final AtomicInteger atOnce = new AtomicInteger();

    final List<Received> all = new CopyOnWriteArrayList<>();

    /** The status of the next answers. */
    volatile int status = 200;

    /** A message. */
    record Received(
            String id, String timestamp, String signature, String type, String body, int status) {

        List<JsonNode> events() {
            return JsonMapper.shared().readTree(body).valueStream().toList();
        }

        /** Computes the signature as the specification has it, apart from the service. */
        String expectedSignature(String secret) {
            try {
                var mac = Mac.getInstance("HmacSHA256");
                byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                byte[] signed =
                        "%s.%s.%s".formatted(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
                return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    Receiver() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:%d/changes".formatted(server.getAddress().getPort());
    }

    private void receive(HttpExchange exchange) throws IOException {
        atOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
        try (exchange) {
            var headers = exchange.getRequestHeaders();
            int answer = status;
            all.add(
                    new Received(
                            headers.getFirst("webhook-id"),
                            headers.getFirst("webhook-timestamp"),
                            headers.getFirst("webhook-signature"),
                            headers.getFirst("Content-Type"),
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8),
                            answer));
            exchange.getResponseHeaders().set("Location", url() + "/elsewhere");
            exchange.sendResponseHeaders(answer, -1);
        } finally {
            now.decrementAndGet();
        }
    }

    /** Events of messages that were answered with 200, in order. */
    List<JsonNode> events() {
        return all.stream()
                .filter(each -> each.status == 200)
                .flatMap(each -> each.events().stream())
                .toList();
    }

    /** Waits until so many events were received. */
    List<JsonNode> awaitEvents(int count) {
        List<JsonNode> events =
                Wait.until(count + " events", this::events, found -> found.size() >= count);
        assertThat(events).hasSize(count);
        return events;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
