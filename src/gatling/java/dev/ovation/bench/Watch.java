package dev.ovation.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Opens streams of server-sent events, prints {@code connected}, and measures what they get while
 * something else writes: {@code <port> <pid of the server> <path> <first> <entity prefix>
 * <entities> <watchers> <seconds>}. In the path <code>{entity}</code> stands for the entity that a
 * stream watches; an event with the text {@code first} is the first one of a stream. It measures
 * from the first event of a change on, for the seconds. The lag counts from the {@code
 * last_reacted_at} of an event, which is before its commit, to the arrival of the event.
 */
final class Watch {

    private static final Pattern TIME = Pattern.compile("\"last_reacted_at\":\"([^\"]+)\"");
    private static final int MOST_LAGS = 10_000_000;

    /** Streams that wait for their first event; a snapshot asks Postgres. */
    private static final int MOST_OPENING = 100;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final byte[] bytes = new byte[1 << 16];
    private final List<Peer> peers = new ArrayList<>();
    private final String first;
    private int begun;
    private long changes;
    private long length;
    private final int[] lags = new int[MOST_LAGS];

    private static final class Peer {
        private final StringBuilder text = new StringBuilder();
    }

    private Watch(String first) throws IOException {
        this.first = first;
        selector = Selector.open();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var to = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        long pid = Long.parseLong(arguments[1]);
        int entities = Integer.parseInt(arguments[5]);
        int watchers = Integer.parseInt(arguments[6]);
        long seconds = Long.parseLong(arguments[7]);
        var watch = new Watch(arguments[3]);
        var before = ProcessMemory.of(pid);
        for (int i = 0; i < watchers; i++) {
            int opened = i;
            watch.await("first events", () -> opened - watch.begun < MOST_OPENING);
            watch.open(to, arguments[2].replace("{entity}", arguments[4] + (1 + i % entities)));
        }
        watch.await("first events", () -> watch.begun == watchers);
        var memory = ProcessMemory.of(pid).minus(before);
        System.out.println("connected");
        watch.changes = 0;
        watch.await("change", () -> watch.changes > 0);
        watch.measure(pid, seconds);
        System.out.printf("watchers\t%d%n", watchers);
        memory.print("watcher", watchers);
    }

    private void await(String what, BooleanSupplier condition) throws IOException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            take(100);
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException(
                        "no %s within %s; streams that began: %d".formatted(what, PATIENCE, begun));
            }
        }
    }

    private void measure(long pid, long seconds) throws IOException {
        changes = 0;
        length = 0;
        double processor = ProcessTime.seconds(List.of(pid));
        long start = System.nanoTime();
        while (System.nanoTime() - start < Duration.ofSeconds(seconds).toNanos()) {
            take(10);
        }
        double took = (System.nanoTime() - start) / 1e9;
        report(took, ProcessTime.seconds(List.of(pid)) - processor);
    }

    private void open(InetSocketAddress to, String path) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
        channel.connect(to);
        String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path);
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
        channel.configureBlocking(false);
        var peer = new Peer();
        peers.add(peer);
        channel.register(selector, SelectionKey.OP_READ, peer);
    }

    private void take(long millis) throws IOException {
        int ready = millis == 0 ? selector.selectNow() : selector.select(millis);
        if (ready == 0) {
            return;
        }
        long now = System.currentTimeMillis();
        for (SelectionKey key : selector.selectedKeys()) {
            buffer.clear();
            int read = ((SocketChannel) key.channel()).read(buffer);
            if (read < 0) {
                throw new IllegalStateException("the server ended a stream");
            }
            buffer.flip().get(bytes, 0, read);
            follow(
                    (Peer) key.attachment(),
                    new String(bytes, 0, read, StandardCharsets.UTF_8),
                    now);
        }
        selector.selectedKeys().clear();
    }

    private void follow(Peer peer, String read, long now) {
        peer.text.append(read);
        int from = 0;
        for (int end = peer.text.indexOf("\n\n"); end >= 0; end = peer.text.indexOf("\n\n", from)) {
            event(peer.text.substring(from, end), now);
            from = end + 2;
        }
        peer.text.delete(0, from);
    }

    private void event(String event, long now) {
        if (event.contains(first)) {
            begun++;
            return;
        }
        OptionalLong last =
                TIME.matcher(event)
                        .results()
                        .mapToLong(each -> Instant.parse(each.group(1)).toEpochMilli())
                        .max();
        if (last.isPresent() && changes < MOST_LAGS) {
            lags[(int) changes++] = (int) (now - last.getAsLong());
            length += event.length() - event.indexOf("data: ");
        }
    }

    private void report(double seconds, double used) {
        if (changes == 0) {
            throw new IllegalStateException("no change arrived");
        }
        int[] sorted = Arrays.copyOf(lags, (int) changes);
        Arrays.sort(sorted);
        System.out.printf("deliveries_s\t%.1f%n", changes / seconds);
        System.out.printf("lag_p50_ms\t%d%n", sorted[sorted.length / 2]);
        System.out.printf("lag_p99_ms\t%d%n", sorted[(int) (sorted.length * 0.99)]);
        System.out.printf("server_cpu\t%.4f%n", used / seconds);
        System.out.printf("event_chars\t%.0f%n", (double) length / changes);
    }
}
