package dev.ovation.chaos;

import java.util.Random;

/** Random choices of the seed. It also draws the durations of a fault and waits for them. */
final class Chance extends Random {

    private static final long serialVersionUID = 1;

    private final int haste;

    /** The haste divides all durations. */
    Chance(long seed, int haste) {
        super(seed);
        this.haste = haste;
    }

    /** Returns an independent generator; its number of draws does not affect this one. */
    Chance another() {
        return new Chance(nextLong(), haste);
    }

    /**
     * Sleeps for a random time. The time itself is the fault, so it does not wait for a condition.
     */
    void last(int atLeastMillis, int atMostMillis) {
        try {
            Thread.sleep(nextInt(atLeastMillis, atMostMillis + 1) / haste);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
