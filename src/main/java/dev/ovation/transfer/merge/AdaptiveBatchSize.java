package dev.ovation.transfer.merge;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of rows in a step, chosen so that the step takes about the wanted time: the number
 * that would have fitted the last time, but at least half and at most twice as many as then,
 * because one measurement may include other delays.
 */
final class AdaptiveBatchSize {

    private static final int SMALLEST = 100;
    private static final int FIRST = 5_000;

    private final int smallest;
    private final int largest;
    private final long wanted;
    private final AtomicInteger rows;

    /**
     * Creates the size of the first step.
     *
     * @param largest rows of a step at most
     * @param wanted time that one step may take
     */
    AdaptiveBatchSize(int largest, Duration wanted) {
        this.smallest = Math.min(SMALLEST, largest);
        this.largest = largest;
        this.wanted = wanted.toNanos();
        this.rows = new AtomicInteger(Math.min(FIRST, largest));
    }

    int rows() {
        return rows.get();
    }

    /**
     * Adapts the size to a step. A step with too few rows only proves that they were not too many.
     *
     * @param had rows of the step
     * @param nanos time that the step took
     */
    void took(int had, long nanos) {
        if (nanos > wanted || had >= rows.get()) {
            fit((long) ((double) had * wanted / Math.max(1, nanos)));
        }
    }

    /** Reduces the size after a failed step: it may have been too large. */
    void failed() {
        fit(0);
    }

    private void fit(long wished) {
        rows.updateAndGet(
                now ->
                        Math.clamp(
                                wished,
                                Math.max(smallest, now / 2),
                                (int) Math.min(largest, 2L * now)));
    }
}
