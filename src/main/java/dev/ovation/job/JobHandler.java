package dev.ovation.job;

import java.util.Set;

/** Knows how to do some kinds of jobs, piece by piece. */
public interface JobHandler {

    /** What became of a piece. */
    enum StepOutcome {
        /** It is done, and there is more. */
        MORE,
        /** Somebody is in the way: nothing was done, and it is to be tried again in a moment. */
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
     * Tells Redis again of what the last piece changed. Is called before the next piece, and after
     * an end that came from outside, when it is not known for certain what became of the last one:
     * when the job was just taken up, or when a piece failed. May be called for a job that has
     * changed nothing yet.
     *
     * @param job as it stands in Postgres
     * @return false when somebody is in the way, and it is to be tried again in a moment
     * @throws RuntimeException when Redis may not know; it is tried again
     */
    boolean reacknowledge(Job job) throws InterruptedException;
}
