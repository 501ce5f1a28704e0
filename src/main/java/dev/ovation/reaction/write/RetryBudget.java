package dev.ovation.reaction.write;

import java.time.Duration;

/**
 * Bounds of one write. All its waits end at one deadline: for the fence, for a load of the entity,
 * and for the commit. Until then a proposal that Redis refuses is repeated. A proposal that
 * Postgres rejects is repeated ten times: other writers changed the entity at the same time, or
 * Postgres cannot store the change.
 */
final class RetryBudget {

    private static final int MOST_CONFLICTS = 10;
    private static final long PAUSE_MILLIS = 5;
    private static final long FIRST_WAIT_MILLIS = 20;
    private static final long LONGEST_WAIT_MILLIS = 80;

    private final long deadline;
    private int conflicts;

    /** Creates a budget that ends after {@code time}. */
    RetryBudget(Duration time) {
        this.deadline = System.nanoTime() + time.toNanos();
    }

    /** Returns the time until the deadline; zero after it. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    boolean isSpent() {
        return remaining().isZero();
    }

    /**
     * Counts one conflict with another writer.
     *
     * @throws dev.ovation.web.problem.ProblemException when it is one too many, or after the
     *     deadline
     */
    void conflict() {
        if (++conflicts > MOST_CONFLICTS || isSpent()) {
            throw WriteProblems.unavailable("others changed the entity at the same time");
        }
    }

    /** Pauses: another instance may have rejected the event, and be about to remove its state. */
    void pause() {
        pause(PAUSE_MILLIS * conflicts);
    }

    /**
     * Returns the wait for the acknowledgement of a commit: 20, 40, 80, 80 … milliseconds.
     * Acknowledgements are collected for 20 ms.
     *
     * @param failed proposals since the commit that came before the acknowledgement
     */
    static long acknowledgementMillis(int failed) {
        return Math.min(FIRST_WAIT_MILLIS << Math.min(failed, 10), LONGEST_WAIT_MILLIS);
    }

    /** Waits {@code millis} milliseconds, or until the thread is interrupted. */
    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
