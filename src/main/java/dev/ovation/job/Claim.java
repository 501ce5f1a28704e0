package dev.ovation.job;

import static dev.ovation.job.JobRows.COLUMNS;
import static dev.ovation.job.JobRows.interval;
import static dev.ovation.job.JobRows.text;

import dev.ovation.job.Job.State;

import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/**
 * A job that is held by this process. Whatever carries the job on is done in the transaction in
 * which {@link #save} is called: so each piece is done once, though holders may overlap.
 */
public final class Claim {

    private final JdbcTemplate jdbc;
    private final Duration lease;
    private final long id;
    private final String holder;

    Claim(JdbcTemplate jdbc, Duration lease, long id, String holder) {
        this.jdbc = jdbc;
        this.lease = lease;
        this.id = id;
        this.holder = holder;
    }

    /** The number of the job. */
    public long id() {
        return id;
    }

    /**
     * Renews the lease and reads the job, which may have come to its end without its holder.
     *
     * @throws ClaimLostException when it is not held any more
     */
    public Job renew() {
        Job job =
                JobRows.one(
                        jdbc,
                        """
                        update job set lease_until = clock_timestamp() + ?::interval
                        where  job_id = ? and holder = ?
                        returning\s"""
                                + COLUMNS,
                        interval(lease),
                        id,
                        holder);
        if (job == null) {
            throw new ClaimLostException(id);
        }
        return job;
    }

    /**
     * Renews the lease and stores how far the job has come.
     *
     * @throws ClaimLostException when it is not held any more; the transaction must end
     */
    public void save(JsonNode position, long done, JsonNode report) {
        int saved =
                jdbc.update(
                        """
                        update job
                        set    position = ?::jsonb, done = ?, report = ?::jsonb,
                               lease_until = clock_timestamp() + ?::interval
                        where  job_id = ? and holder = ? and state in ('waiting', 'running')
                        """,
                        text(position),
                        done,
                        text(report),
                        interval(lease),
                        id,
                        holder);
        if (saved == 0) {
            throw new ClaimLostException(id);
        }
    }

    /**
     * What the job needs has arrived: whoever is free takes it up.
     *
     * @throws ClaimLostException when it is not held any more
     */
    public void ready(JsonNode position, long total, JsonNode report) {
        int ready =
                jdbc.update(
                        """
                        update job
                        set    ready = true, position = ?::jsonb, total = ?, report = ?::jsonb,
                               holder = '', lease_until = clock_timestamp()
                        where  job_id = ? and holder = ? and state = 'waiting'
                        """,
                        text(position),
                        total,
                        text(report),
                        id,
                        holder);
        if (ready == 0) {
            throw new ClaimLostException(id);
        }
    }

    /**
     * Ends the job, unless it is not held any more. If it failed amid its pieces, somebody takes it
     * up once more, to tell of the last one.
     */
    public void end(State state, JsonNode report) {
        jdbc.update(
                """
                update job
                set    state = ?, report = ?::jsonb, holder = '',
                       lease_until = clock_timestamp(), finished_at = clock_timestamp()
                where  job_id = ? and holder = ? and state in ('waiting', 'running')
                """,
                state.label(),
                text(report),
                id,
                holder);
    }

    /**
     * Ends the job well and forgets what it was about: what was asked, by which key, and how far it
     * came.
     */
    public void endWithoutTrace(JsonNode report) {
        jdbc.update(
                """
                update job
                set    state = 'done', report = ?::jsonb, request = '{}', key = null,
                       position = '{}', holder = '', finished_at = clock_timestamp()
                where  job_id = ? and holder = ? and state in ('waiting', 'running')
                """,
                text(report),
                id,
                holder);
    }

    /**
     * What the job needs has broken off. If it can come again it goes on from there; of what never
     * came nothing stays, and what came in vain is an end.
     *
     * @param again whether somebody can go on with it, by its key
     */
    public void breakOff(boolean again) {
        jdbc.update(
                "delete from job where job_id = ? and holder = ? and position = '{}'", id, holder);
        if (again) {
            release();
        } else {
            jdbc.update(
                    """
                    update job
                    set    state = 'failed', holder = '', finished_at = clock_timestamp(),
                           report = report || '{"error": "it broke off while it arrived"}'
                    where  job_id = ? and holder = ?
                    """,
                    id,
                    holder);
        }
    }

    /** What a job that failed or was cancelled did last is told; nobody takes it up any more. */
    void settle() {
        jdbc.update(
                """
                update job set ready = false, holder = ''
                where  job_id = ? and holder = ? and state in ('failed', 'cancelled')
                """,
                id,
                holder);
    }

    /** Lets go of the job for as long as a lease. */
    void defer() {
        jdbc.update(
                """
                update job set holder = '', lease_until = clock_timestamp() + ?::interval
                where  job_id = ? and holder = ?
                """,
                interval(lease),
                id,
                holder);
    }

    /** Lets go of the job: another may take it up at once. */
    void release() {
        jdbc.update(
                """
                update job set holder = '', lease_until = clock_timestamp()
                where  job_id = ? and holder = ?
                """,
                id,
                holder);
    }
}
