package dev.ovation.store;

import dev.ovation.entity.Bound;

import org.springframework.dao.TransientDataAccessResourceException;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds what requests may ask of Postgres: so many at once, so many more that wait. The relay goes
 * by another way and is never kept waiting by requests.
 */
public final class PostgresGate {

    private final int mostRunning;
    private final int mostWaiting;
    private final Semaphore running;
    private final Semaphore waiting;
    private final Duration patience;

    /**
     * Makes a gate.
     *
     * @param running how many may ask at the same time
     * @param waiting how many may wait or ask
     * @param patience how long one may wait
     */
    public PostgresGate(int running, int waiting, Duration patience) {
        this.mostRunning = running;
        this.mostWaiting = waiting;
        this.running = new Semaphore(running, true);
        this.waiting = new Semaphore(waiting);
        this.patience = patience;
    }

    /** Too many ask already; nothing was asked. */
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

        /** None: it is made in thousands when it is made at all. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** How long one may wait for room. */
    public Duration patience() {
        return patience;
    }

    /** How many ask now. */
    int running() {
        return mostRunning - running.availablePermits();
    }

    /** How many wait to ask. */
    int waiting() {
        return Math.max(0, mostWaiting - waiting.availablePermits() - running());
    }

    /**
     * Asks, when there is room.
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
