package dev.ovation.web.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** With a clock of the test, whose client determines the time of each part. */
class PacedBodyTest {

    private static final Pace PACE = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(5), 1000);

    private final Client client = new Client();
    private final Deadline deadline = new Deadline();
    private final PacedBody body = new PacedBody(client, PACE, deadline, () -> client.now);
    private final PacedBody stream = new PacedBody(client, PACE, null, () -> client.now);

    @Test
    void eachKilobyteEarnsASecond() throws IOException {
        body.begin();
        for (int i = 0; i < 377; i++) {
            assertThat(reads(body, 1000, 1000)).isEqualTo(1000);
        }
        assertThatThrownBy(() -> reads(body, 1000, 5001))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aFastBeginningEarnsNoMoreThanTheGrace() throws IOException {
        body.begin();
        reads(body, 1_000_000, 0);

        assertThat(reads(body, 1, 5000)).isEqualTo(1);
        assertThatThrownBy(() -> reads(body, 1, 2)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aBodyThatTricklesIsLateHoweverOftenAByteComes() {
        body.begin();

        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                reads(body, 1, 100);
                            }
                        })
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(client.reads).isEqualTo(51);
    }

    /** The service stores the received bytes, and continues to read when it can. */
    @Test
    void theTimeBetweenTwoReadsIsNotTheClients() throws IOException {
        body.begin();
        reads(body, 1, 4000);
        client.pass(60_000);

        assertThat(reads(body, 1, 900)).isEqualTo(1);
    }

    @Test
    void theNextRequestOfAConnectionBeginsAnew() throws IOException {
        body.begin();
        reads(body, 1, 4900);
        body.begin();

        assertThat(reads(body, 1, 4900)).isEqualTo(1);
    }

    @Test
    void aReadThatFailsByItselfFailsSo() {
        body.begin();
        client.failure = new EOFException("gone");

        assertThatThrownBy(() -> reads(body, 1, 1)).isSameAs(client.failure);
    }

    /** An end of the input that the watch caused is not an end by the client. */
    @Test
    void aReadThatTheWatchEndedIsLate() {
        body.begin();
        client.failure = new EOFException("ended");

        assertThatThrownBy(() -> reads(body, 1, 5001))
                .isInstanceOf(SocketTimeoutException.class)
                .hasCause(client.failure);
    }

    /** Reads of a stream have a bound of their own, so the stream is late at the next read. */
    @Test
    void aStreamThatTricklesIsLateToo() throws IOException {
        stream.begin();
        trickle(61);

        assertThatThrownBy(() -> reads(stream, 1, 1)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aStreamIsReadAsFarAsItIsThere() throws IOException {
        stream.begin();
        trickle(61);
        client.available = 1;

        assertThat(reads(stream, 1, 0)).isEqualTo(1);
    }

    /** Then the watch, which paused too, has ended no read. */
    @Test
    void aPauseOfTheProcessIsNotTheClients() throws IOException {
        stream.begin();
        reads(stream, 1, 60_000);

        assertThat(reads(stream, 1, 400)).isEqualTo(1);
        assertThat(reads(stream, 1, 0)).isEqualTo(1);
    }

    /**
     * Each byte costs 100 milliseconds and earns one; the difference exceeds a second after 61
     * bytes.
     */
    private void trickle(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            assertThat(reads(stream, 1, 100)).isEqualTo(1);
        }
    }

    private int reads(PacedBody from, int bytes, long millis) throws IOException {
        client.bytes = bytes;
        client.millis = millis;
        return from.doRead(null);
    }

    /** Sends a number of bytes after a number of milliseconds, while the watch runs. */
    private final class Client implements InputBuffer {

        private long now;
        private int bytes;
        private long millis;
        private int reads;
        private int available;
        private IOException failure;

        void pass(long time) {
            now += Duration.ofMillis(time).toNanos();
            deadline.look(now);
            deadline.look(now);
        }

        @Override
        public int doRead(ApplicationBufferHandler handler) throws IOException {
            reads++;
            pass(millis);
            if (failure != null) {
                throw failure;
            }
            return bytes;
        }

        @Override
        public int available() {
            return available;
        }
    }
}
