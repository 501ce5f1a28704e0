package dev.ovation.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A receiver of webhooks on loopback, which answers 204 and counts events. It prints {@code port}
 * and its port. {@code GET /events} answers {@code events_per_s}, a tabulator and the events in a
 * second between the first and the last message since {@code GET /reset}.
 */
final class Receiver {

    private static final Pattern EVENT = Pattern.compile("\"specversion\"");

    private long events;
    private long first;
    private long last;

    private Receiver() {}

    public static void main(String... arguments) throws IOException {
        var receiver = new Receiver();
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::receive);
        server.createContext("/events", exchange -> answer(exchange, 200, receiver.rate()));
        server.createContext("/reset", exchange -> answer(exchange, 200, receiver.reset()));
        server.start();
        IO.println("port " + server.getAddress().getPort());
    }

    private void receive(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        count(EVENT.matcher(body).results().count());
        answer(exchange, 204, "");
    }

    private synchronized void count(long received) {
        last = System.nanoTime();
        if (first == 0) {
            first = last; // the events of the first message are those before the measured time
        } else {
            events += received;
        }
    }

    private synchronized String rate() {
        return "events_per_s\t%.1f%n".formatted(last == first ? 0 : events * 1e9 / (last - first));
    }

    private synchronized String reset() {
        events = 0;
        first = 0;
        last = 0;
        return "";
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
