package dev.ovation.store.postgres;

import dev.ovation.entity.Bound;

import org.springframework.dao.TransientDataAccessResourceException;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds the statements of requests in Postgres, both those that run and those that wait. The other
 * connections of the pool are left to the relay, jobs, uploads and one read of the bans.
 */
public final class PostgresBulkhead {

    private final int mostRunning;
    private final int mostWaiting;
    private final Semaphore running;
    private final Semaphore waiting;
    private final Duration patience;

    /**
     * Creates a bulkhead.
     *
     * @param running greatest number of statements at the same time
     * @param waiting greatest number of statements that wait or run
     * @param patience greatest time that a statement waits
     */
    public PostgresBulkhead(int running, int waiting, Duration patience) {
        this.mostRunning = running;
        this.mostWaiting = waiting;
        this.running = new Semaphore(running, true);
        this.waiting = new Semaphore(waiting);
        this.patience = patience;
    }

    /** The bulkhead is full; no statement was sent. */
    public static final class BusyException extends TransientDataAccessResourceException
            implements Bound.Reached {

        private final Bound bound;

        public BusyException(Bound bound) {
            super("too many requests wait for Postgres");
            this.bound = bound;
        }

        @Override
        public Bound bound() {
            return bound;
        }

        /** No stack trace, because under load thousands are created. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Returns the greatest number of statements at the same time. */
    public int mostRunning() {
        return mostRunning;
    }

    /** Returns the greatest time that a statement waits. */
    public Duration patience() {
        return patience;
    }

    /** Returns the number of statements that run now. */
    public int running() {
        return mostRunning - running.availablePermits();
    }

    /** Returns the number of statements that wait now. */
    public int waiting() {
        return Math.max(0, mostWaiting - waiting.availablePermits() - running());
    }

    /**
     * Runs a statement when there is room.
     *
     * @throws BusyException when there is none
     */
    public <T> T ask(Supplier<T> question) {
        if (!waiting.tryAcquire()) {
            throw new BusyException(Bound.GATE);
        }
        try {
            if (!running.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new BusyException(Bound.GATE);
            }
            try {
                return question.get();
            } finally {
                running.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException(Bound.GATE);
        } finally {
            waiting.release();
        }
    }
}
