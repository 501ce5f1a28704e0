package dev.ovation.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Receives traces as OTLP over HTTP, and reads the messages by the numbers of their fields in
 * {@code opentelemetry/proto/trace/v1/trace.proto}.
 */
public final class SpanReceiver implements AutoCloseable {

    private static final String PATH = "/v1/traces";

    private final HttpServer server;
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();

    /** A reference to a span. */
    public record SpanName(String trace, String span) {}

    /**
     * A span.
     *
     * @param parent id of the span above; empty for none
     * @param kind 1 internal, 2 server, 3 client, 4 producer, 5 consumer
     * @param start nanoseconds since 1970
     * @param failed whether the status is an error
     * @param service attribute {@code service.name} of the resource
     */
    public record ReceivedSpan(
            SpanName id,
            String parent,
            String name,
            int kind,
            long start,
            long end,
            Map<String, Object> attributes,
            List<SpanName> links,
            boolean failed,
            String service) {

        public String trace() {
            return id.trace;
        }

        /** Whether this span links to the other. */
        public boolean linksTo(ReceivedSpan other) {
            return links.contains(other.id);
        }
    }

    private SpanReceiver(HttpServer server) {
        this.server = server;
    }

    /** Starts a receiver on a free port of this machine. */
    public static SpanReceiver start() {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var receiver = new SpanReceiver(HttpServer.create(address, 0));
            receiver.server.createContext(PATH, receiver::take);
            receiver.server.start();
            return receiver;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The settings of an instance that sends its traces here, of requests with a header only. */
    public String[] settings(String... more) {
        return Stream.concat(
                        Stream.of(
                                "management.opentelemetry.tracing.export.otlp.endpoint=http://127.0.0.1:"
                                        + server.getAddress().getPort()
                                        + PATH,
                                "management.opentelemetry.tracing.export.schedule-delay=20ms",
                                "management.tracing.sampling.probability=0"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** The spans received so far. */
    public List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    /** Waits for one span, and returns the first. */
    public ReceivedSpan await(String what, Predicate<ReceivedSpan> wanted) {
        return await(what, 1, wanted).getFirst();
    }

    /** Waits for this number of spans, and returns all that there are then. */
    public List<ReceivedSpan> await(String what, int number, Predicate<ReceivedSpan> wanted) {
        return Wait.until(what, this::spans, all -> all.stream().filter(wanted).count() >= number)
                .stream()
                .filter(wanted)
                .toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            read(UnknownFieldSet.parseFrom(body));
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void read(UnknownFieldSet request) {
        for (var resource : messages(request, 1)) {
            var attributes = new HashMap<String, Object>();
            messages(resource, 1).forEach(each -> attributes.putAll(attributes(each, 1)));
            String service = String.valueOf(attributes.get("service.name"));
            messages(resource, 2).stream()
                    .flatMap(scope -> messages(scope, 2).stream())
                    .forEach(span -> spans.add(span(span, service)));
        }
    }

    private static ReceivedSpan span(UnknownFieldSet span, String service) {
        boolean failed =
                messages(span, 15).stream()
                        .flatMap(status -> status.getField(3).getVarintList().stream())
                        .anyMatch(code -> code == 2);
        return new ReceivedSpan(
                new SpanName(hex(span, 1), hex(span, 2)),
                hex(span, 4),
                text(span, 5),
                span.getField(6).getVarintList().getFirst().intValue(),
                span.getField(7).getFixed64List().getFirst(),
                span.getField(8).getFixed64List().getFirst(),
                attributes(span, 9),
                messages(span, 13).stream()
                        .map(link -> new SpanName(hex(link, 1), hex(link, 2)))
                        .toList(),
                failed,
                service);
    }

    private static Map<String, Object> attributes(UnknownFieldSet of, int number) {
        var attributes = new HashMap<String, Object>();
        for (var pair : messages(of, number)) {
            for (var value : messages(pair, 2)) {
                Field number3 = value.getField(3);
                attributes.put(
                        text(pair, 1),
                        number3.getVarintList().isEmpty()
                                ? text(value, 1)
                                : number3.getVarintList().getFirst());
            }
        }
        return attributes;
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet of, int number) {
        return of.getField(number).getLengthDelimitedList().stream()
                .map(SpanReceiver::parsed)
                .toList();
    }

    private static UnknownFieldSet parsed(ByteString message) {
        try {
            return UnknownFieldSet.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(UnknownFieldSet of, int number) {
        return bytes(of, number).toStringUtf8();
    }

    private static String hex(UnknownFieldSet of, int number) {
        return HexFormat.of().formatHex(bytes(of, number).toByteArray());
    }

    private static ByteString bytes(UnknownFieldSet of, int number) {
        var values = of.getField(number).getLengthDelimitedList();
        return values.isEmpty() ? ByteString.EMPTY : values.getFirst();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
