package dev.ovation.web.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Wait;

import org.apache.tomcat.util.net.SocketBufferHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** On a real connection; the test controls the clock. */
class PacedChannelTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int LENGTH = 5000;
    private static final Duration HEAD = Duration.ofSeconds(5);
    private static final ByteBuffer PREFACE =
            StandardCharsets.US_ASCII.encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    private final Deadline deadline = new Deadline();
    private final PacedChannel channel =
            new PacedChannel(
                    new SocketBufferHandler(1024, 1024, false),
                    new Pace(HEAD, Duration.ofSeconds(1), 1024),
                    () -> deadline,
                    () -> {
                        this.atTheClock.run();
                        return this.now;
                    });
    private long now = Long.MAX_VALUE - HEAD.toNanos();
    private Runnable atTheClock = () -> {};
    private SocketChannel client;
    private SocketChannel connection;

    @BeforeEach
    void begin() throws IOException {
        connect();
        channel.reset(connection, null);
        channel.beginHttp2(PREFACE);
    }

    private void connect() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(server.getLocalAddress());
            connection = server.accept();
        }
        connection.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        connection.close();
    }

    @Test
    void theWholeWaitForAFrameIsBounded() throws IOException {
        send(header(HEADERS));
        for (int second = 0; second < 5; second++) {
            awaitFor(1);
            assertThat(isOpen()).isTrue();
            send(new byte[1]);
        }

        awaitFor(1);

        assertThat(isOpen()).isFalse();
    }

    @Test
    void furtherBytesDoNotSaveALateFrame() throws IOException {
        send(header(HEADERS));
        awaitFor(6, () -> send(new byte[1]));

        assertThat(isOpen()).isFalse();
    }

    @Test
    void aLateFrameThatComesAfterAllIsNotLate() throws IOException {
        send(header(HEADERS));
        awaitFor(6, () -> send(new byte[LENGTH]));

        assertThat(isOpen()).isTrue();
    }

    @Test
    void contentEarnsTime() throws IOException {
        send(header(DATA));
        for (int i = 0; i < 3; i++) {
            awaitFor(2);
            assertThat(isOpen()).isTrue();
            send(new byte[1024]);
        }
        awaitFor(1);
        assertThat(isOpen()).isTrue();

        awaitFor(1);

        assertThat(isOpen()).isFalse();
    }

    @Test
    void nothingIsAwaitedBetweenFrames() throws IOException {
        send(header(HEADERS));
        send(new byte[LENGTH]);

        awaitFor(1000);

        assertThat(isOpen()).isTrue();
    }

    /** This process is slow then, not its client. */
    @Test
    void timeWithoutAReadDoesNotCount() throws IOException {
        send(header(HEADERS));
        pass(1000);
        look();

        awaitFor(4);

        assertThat(isOpen()).isTrue();
    }

    @Test
    void http1HasNoFrames() throws IOException {
        channel.reset(connection, null);
        send(header(HEADERS));

        awaitFor(1000);

        assertThat(isOpen()).isTrue();
    }

    /**
     * Tomcat gives the channel to another connection while a thread follows a read of the first.
     */
    @Test
    void aLateReaderDoesNotEndTheNextConnection() throws IOException {
        send(header(HEADERS));
        try (SocketChannel firstClient = client;
                SocketChannel first = connection) {
            connect();
            atTheClock = () -> readable(() -> reuse(connection));
            awaitFor(6);

            assertThat(isOpen()).isTrue();
            assertThat(first.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(firstClient.isOpen()).isTrue();
        }
    }

    private long reuse(SocketChannel next) throws IOException {
        atTheClock = () -> {};
        channel.reset(next, null);
        return 0;
    }

    private static byte[] header(int type) {
        byte[] header = new byte[9];
        header[1] = (byte) (LENGTH >> 8);
        header[2] = (byte) LENGTH;
        header[3] = (byte) type;
        header[4] = type == HEADERS ? (byte) 4 : 0;
        return header;
    }

    private interface Action {
        void run() throws IOException;
    }

    private void awaitFor(int seconds) throws IOException {
        awaitFor(seconds, () -> {});
    }

    /** Reads without a byte, lets the seconds pass, and checks the deadline. */
    private void awaitFor(int seconds, Action meanwhile) throws IOException {
        var into = new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(10)};
        assertThat(channel.read(into, 0, 2)).isZero();
        pass(seconds);
        meanwhile.run();
        look();
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private void look() {
        deadline.look(now);
        deadline.look(now);
    }

    /** The client sends, and the channel reads everything, in both ways. */
    private void send(byte[] bytes) throws IOException {
        client.write(ByteBuffer.wrap(bytes));
        var rest = ByteBuffer.allocate(bytes.length - 1);
        var into = new ByteBuffer[] {ByteBuffer.allocate(9), ByteBuffer.allocate(1), rest};
        Wait.until("the first byte comes", () -> readable(() -> channel.read(into, 1, 1)) == 1);
        Wait.until(
                "all bytes come",
                () -> !rest.hasRemaining() || readable(() -> channel.read(rest)) < 0);
        assertThat(rest.hasRemaining()).isFalse();
    }

    private interface Read {
        long read() throws IOException;
    }

    private static long readable(Read read) {
        try {
            return read.read();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isOpen() throws IOException {
        return connection.read(ByteBuffer.allocate(1)) == 0;
    }
}
