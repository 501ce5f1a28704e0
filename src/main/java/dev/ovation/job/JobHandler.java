package dev.ovation.job;

import java.util.Set;

/** Knows how to do some kinds of jobs, piece by piece. */
public interface JobHandler {

    /** What became of a piece. */
    enum StepOutcome {
        /** It is done, and there is more. */
        MORE,
        /**
         * A lock is held elsewhere: nothing was done, and the step is to be tried again shortly.
         */
        BUSY,
        /** It was the last; the job has its end. */
        ENDED
    }

    /** The kinds of jobs that this does. */
    Set<String> kinds();

    /**
     * Does a piece of a job and saves how far that came by the lease.
     *
     * @param job as it stands in Postgres
     * @throws RuntimeException when the piece failed; it is tried again
     */
    StepOutcome step(Job job, JobLease lease) throws InterruptedException;

    /**
     * Acknowledges the changes of the last batch to Redis again. The worker calls this before the
     * next batch, and after a cancellation, when the outcome of the last batch is uncertain: the
     * job was just acquired, or a batch failed. The job may have changed nothing yet.
     *
     * @param job as it stands in Postgres
     * @return false when a lock is held elsewhere, and the call is to be repeated shortly
     * @throws RuntimeException when Redis may not know; it is tried again
     */
    boolean reacknowledge(Job job) throws InterruptedException;
}
