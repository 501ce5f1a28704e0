package dev.ovation.testing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A client of {@code GET /reactions/stream} on a connection of its own. It collects the events,
 * keeps the last state of each entity, and notes each state that is not newer than the one before.
 */
public final class EventStream implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Socket socket;
    private final InputStream in;
    private final List<Event> events = new ArrayList<>();
    private final Map<String, JsonNode> states = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private String head = "";
    private String lastId;
    private int comments;
    private boolean ended;

    /** An event; {@code data} is empty without one. */
    public record Event(String name, String id, String retry, String data) {
        public JsonNode json() {
            return JSON.readTree(data);
        }
    }

    private EventStream(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Opens a stream; {@code headers} are whole lines. */
    public static EventStream open(
            int port, String namespace, List<String> entities, String user, String... headers) {
        return open(port, target(namespace, entities, user), headers).reading();
    }

    /** Opens a stream that does not read. */
    public static EventStream open(int port, String target, String... headers) {
        try {
            var socket = new Socket("127.0.0.1", port);
            String lines =
                    Stream.of(headers).map(each -> each + "\r\n").collect(Collectors.joining());
            socket.getOutputStream()
                    .write(
                            ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            return new EventStream(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path and query of a stream; a null user means none. */
    public static String target(String namespace, List<String> entities, String user) {
        String query =
                entities.stream()
                        .map(each -> "&entity_id=" + encoded(each))
                        .collect(Collectors.joining());
        return "/reactions/stream?namespace_id="
                + namespace
                + query
                + (user == null ? "" : "&user_id=" + encoded(user));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Begins to read, on a thread of its own. */
    public EventStream reading() {
        Thread.ofVirtual().start(this::readAll);
        return this;
    }

    private void readAll() {
        try {
            readHead();
            var body = new Chunks(in, isChunked());
            var lines = new ArrayList<String>();
            for (String line = body.line(); line != null; line = body.line()) {
                if (line.isEmpty()) {
                    take(lines);
                    lines.clear();
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            // the connection is cut
        } finally {
            synchronized (this) {
                ended = true;
            }
        }
    }

    private void readHead() throws IOException {
        var read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            read.write(next);
        }
        synchronized (this) {
            head = read.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private synchronized boolean isChunked() {
        return head.toLowerCase().contains("transfer-encoding: chunked");
    }

    private synchronized void take(List<String> lines) {
        if (lines.stream().allMatch(line -> line.startsWith(":"))) {
            comments++;
            return;
        }
        var event =
                new Event(
                        field("event", lines),
                        field("id", lines),
                        field("retry", lines),
                        field("data", lines));
        events.add(event);
        if (!event.id.isEmpty()) {
            lastId = event.id;
        }
        if (event.name.equals("snapshot") || event.name.equals("change")) {
            note(event.json());
        }
    }

    private void note(JsonNode state) {
        String entity = state.at("/entity_id").asString();
        JsonNode before = states.put(entity, state);
        String version = state.at("/version").asString();
        if (before != null && before.at("/version").asString().compareTo(version) >= 0) {
            violations.add(before + " before " + state);
        }
    }

    private static String field(String name, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .collect(Collectors.joining("\n"));
    }

    /** Status line and header. */
    public synchronized String head() {
        return head;
    }

    /** Waits for the status. */
    public int status() {
        String line = Wait.until("the head of a stream", this::head, read -> !read.isEmpty());
        return Integer.parseInt(line.split(" ")[1]);
    }

    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Returns the events, and forgets them. */
    public synchronized List<Event> drain() {
        var drained = List.copyOf(events);
        events.clear();
        return drained;
    }

    /** Names of all events, in order. */
    public List<String> names() {
        return events().stream().map(Event::name).toList();
    }

    public synchronized int comments() {
        return comments;
    }

    /** States that were not newer than the one before. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** The last state of an entity, or null. */
    public synchronized JsonNode state(String entity) {
        return states.get(entity);
    }

    /** The last count of a reaction, 0 without one, -1 without a state. */
    public synchronized long count(String entity, String reaction) {
        JsonNode state = states.get(entity);
        return state == null
                ? -1
                : state.at("/reactions_count")
                        .valueStream()
                        .filter(each -> each.at("/reaction_id").asString().equals(reaction))
                        .mapToLong(each -> each.at("/count").asLong())
                        .sum();
    }

    /** Waits for a count. */
    public EventStream awaitCount(String entity, String reaction, long count) {
        Wait.until(
                "%s of %s is %d on the stream".formatted(reaction, entity, count),
                () -> count(entity, reaction),
                seen -> seen == count);
        return this;
    }

    /** Waits for the first state of each of these entities. */
    public EventStream awaitSnapshots(List<String> entities) {
        Wait.until(
                "snapshots of " + entities,
                () -> entities.stream().allMatch(each -> state(each) != null));
        return this;
    }

    /** Waits for the id of the stream. */
    public String streamId() {
        Wait.until("hello", () -> !events().isEmpty());
        return events().getFirst().json().at("/stream_id").asString();
    }

    public synchronized String lastId() {
        return lastId;
    }

    /** Whether the server has ended it, or it was cut. */
    public synchronized boolean isEnded() {
        return ended;
    }

    /** Cuts the connection. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a body, chunked or not. */
    private static final class Chunks {
        private final InputStream in;
        private final boolean chunked;
        private int left;
        private boolean first = true;

        Chunks(InputStream in, boolean chunked) {
            this.in = in;
            this.chunked = chunked;
        }

        /** The next line without its end, null at the end of the body. */
        String line() throws IOException {
            var line = new ByteArrayOutputStream();
            while (true) {
                int next = next();
                if (next < 0) {
                    return null;
                }
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
        }

        private int next() throws IOException {
            if (!chunked) {
                return in.read();
            }
            if (left == 0) {
                if (!first) {
                    in.readNBytes(2);
                }
                first = false;
                var size = new StringBuilder();
                for (int next = in.read(); next != '\n'; next = in.read()) {
                    if (next < 0) {
                        throw new EOFException();
                    }
                    size.append((char) next);
                }
                left = Integer.parseInt(size.toString().strip(), 16);
                if (left == 0) {
                    return -1;
                }
            }
            left--;
            return in.read();
        }
    }
}
