package dev.ovation.event;

import dev.ovation.store.log.LogPositions;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The end of the log, read once for all readers that wait for it. */
final class LogEnd {

    private final Supplier<LogPositions> read;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Known known;

    LogEnd(Supplier<LogPositions> read) {
        this.read = read;
    }

    /**
     * The result of a read, and when it began, by {@link System#nanoTime}.
     *
     * @param end null when the read failed
     */
    private record Known(
            @Nullable LogPositions end, @Nullable DataAccessException failure, long readAt) {

        LogPositions get() {
            if (end == null) {
                throw failure == null ? new IllegalStateException("no end") : failure;
            }
            return end;
        }
    }

    /**
     * Returns the end as a read found it that did not begin before a time. The failure of a read is
     * the failure of all that waited for it.
     *
     * @param time by {@link System#nanoTime}
     * @throws DataAccessException when Postgres does not answer
     */
    LogPositions since(long time) {
        Known last = known;
        if (last == null || last.readAt - time < 0) {
            last = readSince(time);
        }
        return last.get();
    }

    private Known readSince(long time) {
        reading.lock();
        try {
            Known last = known;
            if (last == null || last.readAt - time < 0) {
                last = readNow(System.nanoTime());
                known = last;
            }
            return last;
        } finally {
            reading.unlock();
        }
    }

    private Known readNow(long now) {
        try {
            return new Known(read.get(), null, now);
        } catch (DataAccessException e) {
            return new Known(null, e, now);
        }
    }
}
