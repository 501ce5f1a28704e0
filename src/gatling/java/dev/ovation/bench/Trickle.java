package dev.ovation.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Connections to a port of this machine, each of which sends the head of a request byte by byte,
 * one a second, and reconnects when it is closed: {@code <port> <connections>}. Port 0 is a sink in
 * this process, the control: it reads without answering, and closes each connection after the time
 * that the service leaves a head, so that as many connections begin again. Prints a line when all
 * are connected, and from then on the bytes that were sent in each second, until it is killed.
 */
final class Trickle {

    private static final byte[] HEAD =
            ("GET /reactions?namespace_id=posts&entity_id=hot-1 HTTP/1.1\r\nHost: localhost\r\nX: "
                            + "x".repeat(1000))
                    .getBytes(StandardCharsets.US_ASCII);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final LongAdder SENT = new LongAdder();

    /**
     * The time over which connections begin; together they would send in the same part of each
     * second.
     */
    private static final Duration BEGIN = Duration.ofSeconds(10);

    /** The time of a head and half a second, after which the service ends a connection. */
    private static final long KEPT_NANOS = Duration.ofMillis(5_500).toNanos();

    private Trickle() {}

    public static void main(String... arguments) throws InterruptedException, IOException {
        int given = Integer.parseInt(arguments[0]);
        int port = given == 0 ? openSink() : given;
        int connections = Integer.parseInt(arguments[1]);
        var connected = new CountDownLatch(connections);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < connections; number++) {
                threads.submit(() -> keepTrickling(port, connected));
                Thread.sleep(BEGIN.dividedBy(connections));
            }
            connected.await();
            IO.println("connected");
            printSent();
        }
    }

    private static void printSent() throws InterruptedException {
        SENT.reset();
        long begin = System.nanoTime();
        while (true) {
            Thread.sleep(PAUSE);
            long now = System.nanoTime();
            IO.println("sent " + Math.round(SENT.sumThenReset() * 1e9 / (now - begin)));
            begin = now;
        }
    }

    /** Opens the sink on a free port, which it returns. */
    private static int openSink() throws IOException {
        var server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.configureBlocking(false);
        var selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
        Thread.ofPlatform().name("sink").daemon().start(() -> drain(server, selector));
        return server.socket().getLocalPort();
    }

    private static void drain(ServerSocketChannel server, Selector selector) {
        var buffer = ByteBuffer.allocateDirect(1024);
        try {
            while (true) {
                selector.select(
                        key -> {
                            try {
                                if (key.isAcceptable()) {
                                    var accepted = server.accept();
                                    accepted.configureBlocking(false);
                                    accepted.register(
                                            selector, SelectionKey.OP_READ, System.nanoTime());
                                } else {
                                    drain((SocketChannel) key.channel(), buffer, key.attachment());
                                }
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void drain(SocketChannel connection, ByteBuffer buffer, Object accepted)
            throws IOException {
        int read = connection.read(buffer.clear());
        if (read < 0 || System.nanoTime() - (Long) accepted > KEPT_NANOS) {
            connection.close();
        }
    }

    private static Void keepTrickling(int port, CountDownLatch connected)
            throws InterruptedException {
        while (true) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                connected.countDown();
                for (byte each : HEAD) {
                    socket.getOutputStream().write(each);
                    SENT.increment();
                    Thread.sleep(PAUSE);
                }
            } catch (IOException _) {
                Thread.sleep(PAUSE); // closed by the service
            }
        }
    }
}
