package dev.ovation.job;

import static dev.ovation.job.JobRows.COLUMNS;
import static dev.ovation.job.JobRows.interval;
import static dev.ovation.job.JobRows.one;

import dev.ovation.hot.state.UniqueNames;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobMetrics.JobCount;
import dev.ovation.store.Columns;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Table {@code job}. All times are by the clock of Postgres. The row of a job is the only lock:
 * each write compares the holder.
 */
public class JobTable {

    private static final String CANCEL =
            """
            update job
            set    state = 'cancelled', key = null, %s holder = '',
                   lease_until = clock_timestamp(), finished_at = clock_timestamp()
            where  state in ('waiting', 'running') and %s
            """;

    /** Each half of the condition on states matches one index. */
    private static final String ACQUIRABLE =
            """
            (state in ('waiting', 'running')
             or state in ('failed', 'cancelled'))
            and ready and lease_until < clock_timestamp()
            """;

    private final JdbcTemplate jdbc;
    private final Duration duration;

    public JobTable(JdbcTemplate jdbc, Duration duration) {
        this.jdbc = jdbc;
        this.duration = duration;
    }

    /**
     * A requested job.
     *
     * @param lease held by the caller until the input of the job is complete; null when it is
     *     complete already, by the same key
     */
    public record Begun(Job job, @Nullable JobLease lease) {}

    /**
     * Begins a job without its input, or continues the job of the same key. A key whose job failed
     * or was cancelled begins another job.
     *
     * @param request identifies the request; another request with the same key is refused
     * @throws dev.ovation.web.problem.ProblemException 409 while another request sends the input,
     *     422 when the key was used for another request
     */
    @Transactional
    public Begun begin(String kind, JsonNode request, @Nullable String key) {
        return begin(kind, request, key, false);
    }

    /**
     * Returns whether the input of the job of this key is complete. Then a repeated request needs
     * no lease.
     */
    public boolean isReady(String key) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject(
                        """
                        select exists (
                            select from job
                            where  key = ? and (state in ('running', 'done')
                                                or state = 'waiting' and total is not null))
                        """,
                        Boolean.class,
                        key));
    }

    /** Returns whether the job of this key is waiting or running. */
    public boolean isOpen(String key) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject(
                        """
                        select exists (select from job
                                       where  key = ? and state in ('waiting', 'running'))
                        """,
                        Boolean.class,
                        key));
    }

    /**
     * Begins a job without further input, or finds the job of the same key. The caller holds a job
     * that it began, and may execute it; afterwards the workers of any instance do.
     */
    @Transactional
    public Begun start(String kind, JsonNode request, String key) {
        return begin(kind, request, key, true);
    }

    private Begun begin(String kind, JsonNode request, @Nullable String key, boolean ready) {
        jdbc.update(
                "update job set key = null where key = ? and state in ('failed', 'cancelled')",
                key);
        String holder = UniqueNames.next();
        Job created =
                one(
                        jdbc,
                        """
                        insert into job (kind, state, ready, request, key, holder, lease_until)
                        values (?, 'waiting', ?, ?::jsonb, ?, ?, clock_timestamp() + ?::interval)
                        on conflict (key) do nothing
                        returning\s"""
                                + COLUMNS,
                        kind,
                        ready,
                        JobRows.text(request),
                        key,
                        holder,
                        interval(duration));
        return created != null
                ? new Begun(created, new JobLease(jdbc, duration, created.id(), holder))
                : join(kind, request, Objects.requireNonNull(key), holder, ready);
    }

    private Begun join(String kind, JsonNode request, String key, String holder, boolean ready) {
        Job job = one(jdbc, "select " + COLUMNS + " from job where key = ? for update", key);
        if (job == null && ready) {
            return begin(kind, request, key, true); // the job ended meanwhile
        }
        if (job == null) {
            throw Problems.idempotencyInFlight(); // the job was deleted meanwhile
        }
        if (!job.kind().equals(kind) || !job.request().equals(request)) {
            throw Problems.idempotencyMismatch();
        }
        if (ready || job.state() != JobState.WAITING || job.total() != null) {
            return new Begun(job, null);
        }
        int taken =
                jdbc.update(
                        """
                        update job
                        set    holder = ?, lease_until = clock_timestamp() + ?::interval
                        where  job_id = ? and lease_until < clock_timestamp()
                        """,
                        holder,
                        interval(duration),
                        job.id());
        if (taken == 0) {
            throw Problems.idempotencyInFlight();
        }
        return new Begun(job, new JobLease(jdbc, duration, job.id(), holder));
    }

    /**
     * Acquires the oldest job of these kinds that has no holder; null when there is none. A job
     * that failed or was cancelled is acquired once more, because its last batch may not be
     * acknowledged.
     */
    @Nullable JobLease acquire(Collection<String> kinds) {
        String holder = UniqueNames.next();
        Job job =
                one(
                        jdbc,
                        """
                        update job
                        set    state = case state when 'waiting' then 'running' else state end,
                               holder = ?, lease_until = clock_timestamp() + ?::interval
                        where  job_id = (select job_id from job
                                         where  %s and kind = any (?)
                                         order  by job_id limit 1 for update skip locked)
                        returning\s"""
                                        .formatted(ACQUIRABLE)
                                + COLUMNS,
                        holder,
                        interval(duration),
                        Columns.texts(kinds));
        return job == null ? null : new JobLease(jdbc, duration, job.id(), holder);
    }

    /** Returns the kinds of the jobs that {@link #acquire} would find. */
    Set<String> waiting() {
        return Set.copyOf(
                jdbc.queryForList(
                        "select distinct kind from job where " + ACQUIRABLE, String.class));
    }

    /** Finds a job by its number. */
    public Optional<Job> find(long id) {
        return Optional.ofNullable(
                one(jdbc, "select " + COLUMNS + " from job where job_id = ?", id));
    }

    /** Lists jobs, the newest first: of one state or of all, with numbers below the given one. */
    List<Job> list(@Nullable JobState state, long below, int limit) {
        String label = state == null ? null : state.label();
        return jdbc.query(
                "select "
                        + COLUMNS
                        + """
                         from  job
                        where  job_id < ? and (?::text is null or state = ?)
                        order  by job_id desc limit ?
                        """,
                (row, _) -> JobRows.job(row),
                below,
                label,
                label,
                limit);
    }

    /** Counts the jobs by kind and state. */
    List<JobCount> counts() {
        return jdbc.query(
                """
                select kind, state, count(*) as jobs, min(started_at) as oldest
                from   job
                group  by kind, state
                """,
                (row, _) ->
                        new JobCount(
                                row.getString("kind"),
                                Objects.requireNonNull(JobState.of(row.getString("state"))),
                                row.getLong("jobs"),
                                row.getTimestamp("oldest").toInstant()));
    }

    /**
     * Cancels a job that has not ended; its committed steps stay. A running step is either
     * committed before the cancellation or not at all.
     */
    void cancel(long id) {
        jdbc.update(CANCEL.formatted("", "job_id = ?"), id);
    }

    /**
     * Cancels the job of this key, if there is one that has not ended, as above. The request, which
     * may name a user, is deleted.
     */
    public void cancel(String key) {
        jdbc.update(CANCEL.formatted("request = '{}',", "key = ?"), key);
    }

    /**
     * Takes the job of this key from its holder, if it has not ended. A worker continues it: it
     * acknowledges the last batch again, and looks anew for what is left.
     */
    public void release(String key) {
        jdbc.update(
                """
                update job
                set    holder = '', lease_until = clock_timestamp()
                where  key = ? and state in ('waiting', 'running')
                """,
                key);
    }

    /** Cancels the jobs of these kinds whose request has this member, as above. */
    public void cancel(Collection<String> kinds, String member, String value) {
        jdbc.update(
                CANCEL.formatted("request = '{}',", "kind = any (?) and request ->> ? = ?"),
                Columns.texts(kinds),
                member,
                value);
    }

    /** Ends jobs whose input stopped arriving before the limit, or that no handler can continue. */
    int expireSuspended(Duration after) {
        return jdbc.update(
                """
                update job
                set    state = 'failed', holder = '', finished_at = clock_timestamp(),
                       report = report || '{"error": "it never arrived as a whole"}'
                where  state = 'waiting' and not ready
                and    lease_until < clock_timestamp()
                                     - case when key is null then '1 minute' else ?::interval end
                """,
                interval(after));
    }

    /** Deletes jobs that ended before the limit and whose last batch is acknowledged. */
    int purge(Duration after) {
        return jdbc.update(
                """
                delete from job
                where  finished_at < clock_timestamp() - ?::interval
                and    not (state in ('failed', 'cancelled') and ready)
                """,
                interval(after));
    }
}
