package dev.ovation.web.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** On a real connection; the test controls the clock. */
class DeadlineTest {

    private static final int GROUPS = 20;
    private static final int LATE = 377;

    private final Deadline deadline = new Deadline();
    private SocketChannel client;
    private SocketChannel connection;

    @BeforeEach
    void connect() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(server.getLocalAddress());
            connection = server.accept();
        }
        connection.configureBlocking(false);
        deadline.use(connection);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        connection.close();
    }

    @Test
    void theInputOfALateOneEndsAndItsOutputGoesOn() throws IOException {
        var wait = deadline.begin(100);

        deadline.look(101);
        assertThat(isOpen()).isTrue();
        deadline.look(102);

        assertThat(isOpen()).isFalse();
        assertThat(deadline.end(wait)).isFalse();
        connection.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(client.read(ByteBuffer.allocate(2))).isEqualTo(1);
    }

    @Test
    void oneThatCameInTimeIsLeftAlone() throws IOException {
        var wait = deadline.begin(100);
        deadline.look(100);
        deadline.look(100);

        assertThat(deadline.end(wait)).isTrue();
        deadline.look(101);
        deadline.look(102);

        assertThat(isOpen()).isTrue();
    }

    /** After a pause of the process the server reads the available bytes between two looks. */
    @Test
    void oneThatIsFoundLateOnceMayStillCome() throws IOException {
        deadline.end(deadline.begin(100));
        var first = deadline.begin(100);
        deadline.look(1_000);
        assertThat(deadline.end(first)).isTrue();
        var second = deadline.begin(200);
        deadline.look(1_000);

        assertThat(deadline.end(second)).isTrue();
        assertThat(isOpen()).isTrue();
    }

    @Test
    void theClockMayPassItsLargestNumber() throws IOException {
        deadline.begin(Long.MAX_VALUE + 100);

        deadline.look(Long.MAX_VALUE - 1);
        deadline.look(Long.MAX_VALUE);

        assertThat(isOpen()).isTrue();
    }

    /** Tomcat reuses a processor whose connection was closed. */
    @Test
    void anotherConnectionIsNotLateForTheOneBefore() throws IOException {
        close();
        deadline.begin(100);
        assertThatCode(
                        () -> {
                            deadline.look(101);
                            deadline.look(102);
                        })
                .doesNotThrowAnyException();

        connect();
        deadline.look(103);
        deadline.look(104);

        assertThat(isOpen()).isTrue();
    }

    @Test
    void lateOnesEndAGroupAtATime() {
        assertThat(endedAfter(GROUPS)).isZero();
        assertThat(endedAfter(GROUPS + 1)).isBetween(LATE / GROUPS, LATE / GROUPS + 1);
        assertThat(endedAfter(2 * GROUPS - 1)).isLessThan(LATE);
        assertThat(endedAfter(2 * GROUPS)).isEqualTo(LATE);
    }

    /** Returns how many of {@link #LATE} deadlines that are late have ended after these checks. */
    private static int endedAfter(int checks) {
        var watch = new Deadline.Watch(GROUPS);
        List<Deadline> late = Stream.generate(watch::newDeadline).limit(LATE).toList();
        List<Deadline.Wait> waits = late.stream().map(each -> each.begin(100)).toList();
        for (int i = 0; i < checks; i++) {
            watch.lookAtNext(101);
        }
        return (int) IntStream.range(0, LATE).filter(i -> !late.get(i).end(waits.get(i))).count();
    }

    private boolean isOpen() throws IOException {
        return connection.read(ByteBuffer.allocate(1)) == 0;
    }
}
