package dev.ovation.store.log;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * A place in the log: a position in each partition. Two places of different generations cannot be
 * compared, because changes between them were not logged.
 */
public final class LogPositions {

    private final int generation;
    private final long[] positions;

    /**
     * Creates a place, which owns the array.
     *
     * @param generation counts the openings of the log
     * @param positions of the last row before the place, by partition; 0 before the first
     */
    public LogPositions(int generation, long[] positions) {
        this.generation = generation;
        this.positions = positions;
    }

    public int generation() {
        return generation;
    }

    /** Returns the positions themselves; their owner may move them. */
    public long[] positions() {
        return positions;
    }

    /** Returns the number of rows between this place and a later one. */
    public long to(LogPositions later) {
        long rows = 0;
        for (int p = 0; p < positions.length; p++) {
            rows += Math.max(0, later.positions[p] - positions[p]);
        }
        return rows;
    }

    /** Returns a copy that can be moved. */
    public LogPositions copy() {
        return new LogPositions(generation, positions.clone());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogPositions that
                && that.generation == generation
                && Arrays.equals(that.positions, positions);
    }

    @Override
    public int hashCode() {
        return 31 * generation + Arrays.hashCode(positions);
    }

    @Override
    public String toString() {
        return generation + ":" + Arrays.toString(positions);
    }
}
