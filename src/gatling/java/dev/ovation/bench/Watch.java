package dev.ovation.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Opens streams, prints {@code connected}, and measures what they get while something else writes:
 * {@code <port> <pid of the service> <namespace> <entity prefix> <entities> <watchers> <seconds>}.
 * Each stream watches one entity. The lag counts from the time of the reaction, which is before its
 * commit, to the arrival of the event that has it.
 */
final class Watch {

    private static final Pattern TIME = Pattern.compile("\"last_reacted_at\":\"([^\"]+)\"");
    private static final int MOST_LAGS = 10_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final byte[] bytes = new byte[1 << 16];
    private final List<Peer> peers = new ArrayList<>();
    private int snapshots;
    private long changes;
    private final int[] lags = new int[MOST_LAGS];

    private static final class Peer {
        private final StringBuilder text = new StringBuilder();
    }

    private Watch() throws IOException {
        selector = Selector.open();
    }

    public static void main(String[] arguments) throws IOException {
        var to = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        long pid = Long.parseLong(arguments[1]);
        int entities = Integer.parseInt(arguments[4]);
        int watchers = Integer.parseInt(arguments[5]);
        long seconds = Long.parseLong(arguments[6]);
        var watch = new Watch();
        long before = residentKilobytes(pid);
        for (int i = 0; i < watchers; i++) {
            String entity = arguments[3] + (1 + i % entities);
            watch.open(to, arguments[2], entity);
            watch.take(0);
        }
        Instant end = Instant.now().plus(PATIENCE);
        while (watch.snapshots < watchers) {
            watch.take(100);
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException(watch.snapshots + " snapshots");
            }
        }
        long memory = residentKilobytes(pid) - before;
        System.out.println("connected");
        watch.changes = 0;
        double processor = ProcessTime.seconds(List.of(pid));
        long start = System.nanoTime();
        while (System.nanoTime() - start < Duration.ofSeconds(seconds).toNanos()) {
            watch.take(10);
        }
        double used = ProcessTime.seconds(List.of(pid)) - processor;
        watch.report(watchers, seconds, used, memory);
    }

    private void open(InetSocketAddress to, String namespace, String entity) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
        channel.connect(to);
        String request =
                "GET /reactions/stream?namespace_id=%s&entity_id=%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .formatted(namespace, entity);
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
                throw new IllegalStateException("the service ended a stream");
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
        if (event.contains("event: snapshot")) {
            snapshots++;
        } else if (event.contains("event: change") && changes < MOST_LAGS) {
            long last =
                    TIME.matcher(event)
                            .results()
                            .mapToLong(each -> Instant.parse(each.group(1)).toEpochMilli())
                            .max()
                            .orElse(now);
            lags[(int) changes++] = (int) (now - last);
        }
    }

    private void report(int watchers, long seconds, double used, long memory) {
        if (changes == 0) {
            throw new IllegalStateException("no change arrived");
        }
        int[] sorted = Arrays.copyOf(lags, (int) changes);
        Arrays.sort(sorted);
        System.out.printf("watchers\t%d%n", watchers);
        System.out.printf("deliveries_s\t%.1f%n", (double) changes / seconds);
        System.out.printf("lag_p50_ms\t%d%n", sorted[sorted.length / 2]);
        System.out.printf("lag_p99_ms\t%d%n", sorted[(int) (sorted.length * 0.99)]);
        System.out.printf("all_cpu_delivery_us\t%.1f%n", used * 1e6 / changes);
        System.out.printf("watcher_kb\t%.1f%n", (double) memory / watchers);
    }

    private static long residentKilobytes(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
