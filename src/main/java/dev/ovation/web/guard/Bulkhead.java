package dev.ovation.web.guard;

import dev.ovation.entity.Bound;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bound on concurrent requests of a kind. A request beyond the bound is refused at once, never
 * queued.
 */
public final class Bulkhead {

    private final String what;
    private final int limit;
    private final Duration retryAfter;
    private final Semaphore free;

    /** One permit; closing it twice gives it back once. */
    public interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Creates {@code limit} permits.
     *
     * @param what what is bounded, as the beginning of a sentence: "writes"
     * @param limit at least 1
     * @param retryAfter Retry-After of refused requests
     */
    public Bulkhead(String what, int limit, Duration retryAfter) {
        if (limit < 1) {
            throw new IllegalArgumentException("permits for " + what + " must be at least 1");
        }
        this.what = what;
        this.limit = limit;
        this.retryAfter = retryAfter;
        this.free = new Semaphore(limit);
    }

    /**
     * Takes a permit.
     *
     * @throws ProblemException 503 {@code unavailable} when none is free
     */
    public Permit take() {
        return take(1);
    }

    /**
     * Takes {@code many} permits, at most all of them.
     *
     * @throws ProblemException 503 {@code unavailable} when fewer are free
     */
    public Permit take(int many) {
        int weight = Math.min(many, limit);
        if (!free.tryAcquire(weight)) {
            throw Problems.unavailable(what + " are at their limit, nothing was done", retryAfter)
                    .at(Bound.PERMITS);
        }
        var given = new AtomicBoolean(true);
        return () -> {
            if (given.compareAndSet(true, false)) {
                free.release(weight);
            }
        };
    }

    /** Number of permits in use. */
    public int taken() {
        return limit - free.availablePermits();
    }
}
