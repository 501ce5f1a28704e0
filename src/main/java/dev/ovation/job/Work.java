package dev.ovation.job;

import java.util.Set;

/** Knows how to do some kinds of jobs, piece by piece. */
public interface Work {

    /** What became of a piece. */
    enum Outcome {
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
     * Does a piece of a job and saves how far that came by the claim.
     *
     * @param job as it stands in Postgres
     * @param sure false when it is not known for certain what became of the piece before: when the
     *     job was just taken up, or when a piece failed
     * @throws RuntimeException when the piece failed; it is tried again
     */
    Outcome step(Job job, Claim claim, boolean sure) throws InterruptedException;
}
