package dev.ovation.job;

import dev.ovation.job.Job.State;

import tools.jackson.databind.JsonNode;

/**
 * A job that is held by this process. Whatever carries the job on is done in the transaction in
 * which {@link #save} is called: so each piece is done once, though holders may overlap.
 */
public final class Claim {

    private final Jobs jobs;
    private final long id;
    private final String holder;

    Claim(Jobs jobs, long id, String holder) {
        this.jobs = jobs;
        this.id = id;
        this.holder = holder;
    }

    /** The number of the job. */
    public long id() {
        return id;
    }

    /**
     * Renews the lease and reads the job.
     *
     * @throws ClaimLostException when it is not held any more
     */
    public Job renew() {
        return jobs.renew(id, holder);
    }

    /**
     * Renews the lease and stores how far the job has come.
     *
     * @throws ClaimLostException when it is not held any more; the transaction must end
     */
    public void save(JsonNode position, long done, JsonNode report) {
        jobs.save(id, holder, position, done, report);
    }

    /**
     * What the job needs has arrived: whoever is free takes it up.
     *
     * @throws ClaimLostException when it is not held any more
     */
    public void ready(JsonNode position, long total, JsonNode report) {
        jobs.ready(id, holder, position, total, report);
    }

    /** Ends the job, unless it is not held any more. */
    public void end(State state, JsonNode report) {
        jobs.end(id, holder, state, report);
    }

    /**
     * What the job needs has broken off. If it can come again it goes on from there; of what never
     * came nothing stays, and what came in vain is an end.
     *
     * @param again whether somebody can go on with it, by its key
     */
    public void breakOff(boolean again) {
        jobs.breakOff(id, holder, again);
    }

    /** Lets go of the job: another may take it up at once. */
    void release() {
        jobs.release(id, holder);
    }
}
