package dev.ovation.chaos;

import java.util.Random;

/** What the seed decides; and how long it lasts, which is a part of a fault. */
final class Chance extends Random {

    private static final long serialVersionUID = 1;

    private final int haste;

    /** All that lasts is as many times shorter as its haste says. */
    Chance(long seed, int haste) {
        super(seed);
        this.haste = haste;
    }

    /** For something that may draw as often as it likes. */
    Chance another() {
        return new Chance(nextLong(), haste);
    }

    /** Time is what passes here: nobody waits for a condition. */
    void last(int atLeastMillis, int atMostMillis) {
        try {
            Thread.sleep(nextInt(atLeastMillis, atMostMillis + 1) / haste);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
