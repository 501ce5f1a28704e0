package dev.ovation.web.tomcat;

import dev.ovation.web.tomcat.Deadline.Wait;

import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A request's body whose client has to keep the {@link Pace}. Only the time in blocked reads
 * counts. A body that is late fails as one does whose connection is silent for too long: with 408.
 */
final class PacedBody implements InputBuffer {

    /** A debt beyond this is the client's: a process that stands still once owes half of it. */
    private static final long DEBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final InputBuffer body;
    private final Pace pace;
    private final @Nullable Deadline deadline;
    private final LongSupplier clock;
    private long credit;
    private long requests;

    /**
     * Paces a body.
     *
     * @param deadline of its connection, by which a read is ended that does not end by itself; null
     *     where each read has a bound of its own
     * @param clock in nanoseconds
     */
    PacedBody(InputBuffer body, Pace pace, @Nullable Deadline deadline, LongSupplier clock) {
        this.body = body;
        this.pace = pace;
        this.deadline = deadline;
        this.clock = clock;
        this.credit = pace.grace().toNanos();
    }

    /** A request begins: the one before on this connection has earned it nothing. */
    void begin() {
        requests++;
        credit = pace.grace().toNanos();
        if (deadline != null) {
            deadline.clear();
        }
    }

    /** How many requests have begun. */
    long requests() {
        return requests;
    }

    /**
     * The handler reads no further: the container passes over the rest, which has to arrive within
     * the grace.
     */
    void leave() {
        if (deadline != null) {
            var _ = deadline.begin(clock.getAsLong() + pace.grace().toNanos());
        }
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        if (credit < -DEBT_NANOS && body.available() <= 0) {
            throw late(null);
        }
        long begin = clock.getAsLong();
        int read =
                deadline == null ? body.doRead(handler) : read(handler, deadline, begin + credit);
        long waited = clock.getAsLong() - begin;
        long charged = Math.min(waited, Math.max(credit, 0) + DEBT_NANOS / 2);
        long earned = pace.nanosFor(Math.max(0, read));
        credit = Math.min(pace.grace().toNanos(), credit - charged + earned);
        return read;
    }

    @Override
    public int available() {
        return body.available();
    }

    private int read(ApplicationBufferHandler handler, Deadline deadline, long until)
            throws IOException {
        Wait wait = deadline.begin(until);
        int read;
        try {
            read = body.doRead(handler);
        } catch (IOException e) {
            throw deadline.end(wait) ? e : late(e);
        }
        if (!deadline.end(wait)) {
            throw late(null);
        }
        return read;
    }

    private static IOException late(@Nullable IOException cause) {
        var late = new SocketTimeoutException("the body arrives too slowly");
        if (cause != null) {
            var _ = late.initCause(cause);
        }
        return late;
    }
}
