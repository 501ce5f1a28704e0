package dev.ovation.job;

import java.util.Set;

/** Executes some kinds of jobs, step by step. */
public interface JobHandler {

    /** Result of a step. */
    enum StepOutcome {
        /** The step is done, and further steps follow. */
        MORE,
        /**
         * Another transaction holds a lock or is not visible yet: the worker repeats the step
         * shortly.
         */
        BUSY,
        /**
         * Another job must end before: nothing was done, and the worker gives the job back, for the
         * time of a lease.
         */
        LATER,
        /** The step was the last one; the job has ended. */
        ENDED
    }

    /** Returns the kinds of jobs that this handler executes. */
    Set<String> kinds();

    /**
     * Executes a step of a job and saves the progress through the lease.
     *
     * @param job the job as it is in Postgres
     * @throws RuntimeException when the step failed; the worker repeats it
     */
    StepOutcome step(Job job, JobLease lease) throws InterruptedException;

    /**
     * Acknowledges the changes of the last batch to Redis again. The worker calls this before the
     * next batch, and after a cancellation, when the outcome of the last batch is uncertain: the
     * job was just acquired, or a batch failed. The job may have changed nothing yet.
     *
     * @param job the job as it is in Postgres
     * @return false when another transaction holds a lock; the worker repeats the call shortly
     * @throws RuntimeException when Redis may lack the acknowledgement; the worker repeats the call
     */
    boolean reacknowledge(Job job) throws InterruptedException;
}
