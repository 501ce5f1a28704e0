package dev.ovation.background;

import java.time.Duration;

/**
 * A sort of background work. Whichever instance has the turn calls it, step by step. A step is
 * bounded by what it touches, or the share of time could not be kept.
 */
public interface BackgroundWork {

    /** What came of a step. */
    enum Progress {
        /** There is nothing more to do until the next time. */
        DONE,
        /** There is more, which may go on at once while the turn lasts. */
        MORE,
        /** There is more, which cannot go on now. */
        LATER
    }

    /** Returns its name, the same in all instances; a label of metrics. */
    String job();

    /** Returns how often it has something to do. */
    Duration every();

    /** Whether this instance takes part in it. */
    default boolean isWanted() {
        return true;
    }

    /** Does a little. What it throws counts as {@link Progress#LATER}. */
    Progress step(Turn turn) throws InterruptedException;
}
