package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.LoopbackServer;
import dev.ovation.testing.Wait;
import dev.ovation.testing.WebhookMessage;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver of webhooks on this machine, which keeps each message with the answer to it. */
final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger now = new AtomicInteger();

    /** Greatest number of messages that were received at the same time. */
    final AtomicInteger atOnce = new AtomicInteger();

    final List<WebhookMessage> all = new CopyOnWriteArrayList<>();

    /** The status of the next answers. */
    volatile int status = 200;

    Receiver() {
        server = LoopbackServer.create();
        server.createContext("/", this::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:%d/changes".formatted(server.getAddress().getPort());
    }

    private void receive(HttpExchange exchange) throws IOException {
        atOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
        try (exchange) {
            int answer = status;
            all.add(WebhookMessage.of(exchange, answer));
            exchange.getResponseHeaders().set("Location", url() + "/elsewhere");
            exchange.sendResponseHeaders(answer, -1);
        } finally {
            now.decrementAndGet();
        }
    }

    /** Events of messages that were answered with 200, in order. */
    List<JsonNode> events() {
        return all.stream()
                .filter(each -> each.status() == 200)
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
