package dev.ovation.background;

import java.time.Duration;

/**
 * A sort of background work. Whichever instance has the turn calls it, step by step. A step is
 * bounded by what it touches, or the share of time could not be kept.
 */
public interface BackgroundWork {

    /** What came of a step. */
    enum StepResult {
        /** There is nothing more to do until the next time. */
        DONE,
        /** There is more, which may go on at once while the turn lasts. */
        MORE,
        /** There is more, which cannot go on now. */
        LATER
    }

    /** Returns its name, the same in all instances; a label of metrics. */
    String name();

    /** Returns how often it has something to do. */
    Duration interval();

    /** Whether this instance takes part in it. */
    default boolean isEnabled() {
        return true;
    }

    /** Does a little. What it throws counts as {@link Progress#LATER}. */
    StepResult step(Turn turn) throws InterruptedException;
}
