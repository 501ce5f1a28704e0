package dev.ovation.outbox;

import java.util.concurrent.TimeUnit;

/**
 * When the next pass may begin. Most of a pass costs the same for one event and for a hundred; so
 * under load one begins only after as long again as the last one took, and finds more. What comes
 * alone never waits, nor does anybody longer than a bound: a pass that hangs holds up no other.
 */
final class Pace {

    /** Events in a pass from which on it is load. */
    private static final int LOAD = 16;

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private long begun = System.nanoTime();
    private long gap;

    /** Takes in that a pass begins. */
    synchronized void begun(long now) {
        begun = now;
    }

    /** Takes in how long a pass took, and how many events it applied or rejected. */
    synchronized void ended(int events, long nanos) {
        gap = events < LOAD ? 0 : Math.min(2 * nanos, LONGEST_NANOS);
    }

    /** Returns the nanoseconds until the next pass may begin; 0 or less: it may. */
    synchronized long left(long now) {
        return begun + gap - now;
    }
}
