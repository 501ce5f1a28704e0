package dev.ovation.transfer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many rows a piece may have, so that it takes about as long as wanted: as many as would have
 * fitted the last time, but at least half and at most twice as many as then, for one measurement
 * may be of something else.
 */
final class PieceSize {

    private static final int SMALLEST = 100;
    private static final int FIRST = 5_000;

    private final int smallest;
    private final int largest;
    private final long wanted;
    private final AtomicInteger rows;

    /**
     * Begins.
     *
     * @param largest rows that a piece may have at most
     * @param wanted how long one may take
     */
    PieceSize(int largest, Duration wanted) {
        this.smallest = Math.min(SMALLEST, largest);
        this.largest = largest;
        this.wanted = wanted.toNanos();
        this.rows = new AtomicInteger(Math.min(FIRST, largest));
    }

    int rows() {
        return rows.get();
    }

    /**
     * Learns from a piece. One that had too few rows only tells that they were not too many.
     *
     * @param had its rows
     * @param nanos how long it took
     */
    void took(int had, long nanos) {
        if (nanos > wanted || had >= rows.get()) {
            fit((long) ((double) had * wanted / Math.max(1, nanos)));
        }
    }

    /** Learns that a piece failed: it may have been too large. */
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
