package dev.ovation.event;

import dev.ovation.store.log.LogPositions;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The end of the log, read once for all readers that wait for it. */
public final class LogEnd {

    private final Supplier<LogPositions> read;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Known known;

    LogEnd(Supplier<LogPositions> read) {
        this.read = read;
    }

    /** An end, and when its read began, by {@link System#nanoTime}. */
    private record Known(LogPositions end, long readAt) {}

    /**
     * Returns the end as a read found it that did not begin before a time.
     *
     * @param time by {@link System#nanoTime}
     */
    public LogPositions since(long time) {
        Known last = known;
        if (last != null && last.readAt - time >= 0) {
            return last.end;
        }
        reading.lock();
        try {
            last = known;
            if (last == null || last.readAt - time < 0) {
                long now = System.nanoTime();
                last = new Known(read.get(), now);
                known = last;
            }
            return last.end;
        } finally {
            reading.unlock();
        }
    }
}
