package dev.ovation.background;

import java.time.Duration;

/**
 * A kind of background work. The instance that has the turn calls it, step by step. The number of
 * rows in a step is bounded; otherwise the share could not be kept.
 */
public interface BackgroundWork {

    /** Result of a step. */
    enum StepResult {
        /** No work is left until the next interval. */
        DONE,
        /** More work is left, and the turn may continue with it. */
        MORE,
        /** More work is left, but it cannot continue now. */
        LATER
    }

    /** Returns the name of the job, the same in all instances; a label of metrics. */
    String name();

    /** Returns the interval in which the job is due. */
    Duration interval();

    /** Returns whether this instance executes the job. */
    default boolean isEnabled() {
        return true;
    }

    /** Executes a step. An exception counts as {@link Progress#LATER}. */
    StepResult step(Turn turn) throws InterruptedException;
}
