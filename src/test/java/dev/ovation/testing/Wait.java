package dev.ovation.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Waits for a condition instead of sleeping. The bound is for conditions that never hold: a
 * condition that holds late on a busy machine is no defect.
 */
public final class Wait {

    /** Long enough for a recovery of Postgres on a busy disk, short enough for a failing run. */
    public static final Duration BOUND = Duration.ofMinutes(2);

    private static final Duration LEAST_PAUSE = Duration.ofMillis(5);
    private static final Duration MOST_PAUSE = Duration.ofMillis(50);

    private Wait() {}

    /**
     * Returns as soon as the condition holds.
     *
     * @param what the condition, in words, for the report of a failure
     * @throws AssertionError after {@link #BOUND}
     */
    public static void until(String what, Callable<Boolean> condition) {
        until(what, BOUND, condition);
    }

    /** Waits with another bound. */
    public static void until(String what, Duration bound, Callable<Boolean> condition) {
        var _ = until(what, bound, condition, holds -> holds);
    }

    /**
     * Reads a value until it meets the condition, and returns it.
     *
     * @param what the awaited condition, in words; a failure quotes it with the last value
     * @throws AssertionError after {@link #BOUND}
     */
    public static <T> T until(String what, Callable<T> look, Predicate<T> right) {
        return until(what, BOUND, look, right);
    }

    /** Reads a value with another bound. */
    public static <T> T until(String what, Duration bound, Callable<T> look, Predicate<T> right) {
        long start = System.nanoTime();
        long looks = 0;
        Object seen = null;
        Exception thrown = null;
        boolean last = false;
        while (!last) {
            long looked = System.nanoTime();
            last = looked - start >= bound.toNanos(); // the bound may end in a pause of the machine
            looks++;
            try {
                T found = look.call();
                if (right.test(found)) {
                    return found;
                }
                seen = found;
                thrown = null;
            } catch (Exception e) {
                seen = e;
                thrown = e;
            }
            long now = System.nanoTime();
            if (!last) {
                pause(what, now - start, now - looked);
            }
        }
        throw new AssertionError(
                "not within %s: %s; looked %d times, last seen: %s"
                        .formatted(bound, what, looks, seen),
                thrown);
    }

    /**
     * Pauses for an eighth of the time waited so far, within bounds, or as long as the last look
     * took, so that the awaited work gets a processor, too.
     */
    private static void pause(String what, long waited, long look) {
        long pause = Math.clamp(waited / 8, LEAST_PAUSE.toNanos(), MOST_PAUSE.toNanos());
        try {
            Thread.sleep(Duration.ofNanos(Math.max(pause, look)));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while awaiting: " + what, e);
        }
    }
}
