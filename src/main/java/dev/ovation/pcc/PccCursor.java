package dev.ovation.pcc;

import org.jspecify.annotations.Nullable;

/**
 * Cursor of a like list as an unsigned number of 64 bits. From the top: 53 bits of time, one bit
 * that is set after the friends, and ten bits of rank.
 *
 * @param others whether the friends are through
 * @param at time of the last returned like, in microseconds since 1970, below 2^53
 * @param rank of that one among those of the same time, from 1 to {@link #MOST}; 1 unless likes
 *     were imported with equal times
 */
record PccCursor(boolean others, long at, int rank) {

    static final int MOST = 1023;

    private static final int RANK_BITS = 10;
    private static final int AT_SHIFT = RANK_BITS + 1;

    /** Reads a cursor; null for 0, the beginning. */
    static @Nullable PccCursor of(long number) {
        return number == 0
                ? null
                : new PccCursor(
                        (number >>> RANK_BITS & 1) == 1,
                        number >>> AT_SHIFT,
                        (int) (number & MOST));
    }

    /** Returns the number, which is never 0 and unsigned. */
    long number() {
        return at << AT_SHIFT | (others ? 1L << RANK_BITS : 0) | rank;
    }
}
