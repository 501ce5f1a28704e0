package dev.ovation.job;

import static dev.ovation.job.JobRows.COLUMNS;
import static dev.ovation.job.JobRows.interval;
import static dev.ovation.job.JobRows.text;

import dev.ovation.job.Job.JobState;

import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/**
 * A job that this process holds. A step and its {@link #save} are one transaction. So each step is
 * done once, although two holders may overlap.
 */
public final class JobLease {

    private final JdbcTemplate jdbc;
    private final Duration duration;
    private final long id;
    private final String holder;

    JobLease(JdbcTemplate jdbc, Duration duration, long id, String holder) {
        this.jdbc = jdbc;
        this.duration = duration;
        this.id = id;
        this.holder = holder;
    }

    /** The number of the job. */
    public long id() {
        return id;
    }

    /**
     * Renews the lease and reads the job, which may have ended without its holder.
     *
     * @throws JobLeaseLostException when this process does not hold the job any more
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
                        interval(duration),
                        id,
                        holder);
        if (job == null) {
            throw new JobLeaseLostException(id);
        }
        return job;
    }

    /**
     * Renews the lease and stores the progress of the job.
     *
     * @throws JobLeaseLostException when this process does not hold the job any more; the
     *     transaction must end
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
                        interval(duration),
                        id,
                        holder);
        if (saved == 0) {
            throw new JobLeaseLostException(id);
        }
    }

    /**
     * Records that the input of the job is complete: a free worker acquires the job.
     *
     * @throws JobLeaseLostException when this process does not hold the job any more
     */
    public void markReady(JsonNode position, long total, JsonNode report) {
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
            throw new JobLeaseLostException(id);
        }
    }

    /**
     * Ends the job, if this process still holds it. A job that failed between its batches is
     * acquired once more, to acknowledge the last one.
     */
    public void finish(JobState state, JsonNode report) {
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

    /** Ends the job as done and deletes its request, its key and its progress. */
    public void finishAndErase(JsonNode report) {
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
     * Releases a job whose input stopped arriving. A job without stored input is deleted. A
     * resumable job waits for the rest of its input; any other job fails.
     *
     * @param resumable whether a client can resume the input by the key of the job
     */
    public void suspend(boolean resumable) {
        jdbc.update(
                "delete from job where job_id = ? and holder = ? and position = '{}'", id, holder);
        if (resumable) {
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

    /**
     * Notes that the last batch of a failed or cancelled job is acknowledged; the job is not
     * acquired again.
     */
    void settle() {
        jdbc.update(
                """
                update job set ready = false, holder = ''
                where  job_id = ? and holder = ? and state in ('failed', 'cancelled')
                """,
                id,
                holder);
    }

    /** Releases the job; other workers may acquire it after the time of a lease. */
    void defer() {
        jdbc.update(
                """
                update job set holder = '', lease_until = clock_timestamp() + ?::interval
                where  job_id = ? and holder = ?
                """,
                interval(duration),
                id,
                holder);
    }

    /** Releases the job; another worker may acquire it at once. */
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
