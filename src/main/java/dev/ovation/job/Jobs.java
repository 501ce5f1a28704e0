package dev.ovation.job;

import dev.ovation.hot.Tokens;
import dev.ovation.job.Job.State;
import dev.ovation.web.Json;
import dev.ovation.web.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.JsonNode;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Table {@code job}. All times are by the clock of Postgres, and a job's row is the only lock: who
 * holds it is compared wherever something is written.
 */
public class Jobs {

    private static final String COLUMNS =
            """
            job_id, kind, state, request, position, done, total, report, started_at, finished_at
            """;

    private final JdbcTemplate jdbc;
    private final Duration lease;

    Jobs(JdbcTemplate jdbc, Duration lease) {
        this.jdbc = jdbc;
        this.lease = lease;
    }

    /**
     * A job that was asked for.
     *
     * @param claim held by the caller until what the job needs has arrived; null when it has
     *     arrived before, by the same key
     */
    public record Begun(Job job, @Nullable Claim claim) {}

    /**
     * Begins a job whose needs are still to arrive, or goes on with the one of the same key. A key
     * whose job failed or was cancelled begins another.
     *
     * @param request what tells it from other requests with the same key
     * @throws dev.ovation.web.ProblemException 409 when what it needs is arriving right now, 422
     *     when the key was used for another request
     */
    @Transactional
    public Begun begin(String kind, JsonNode request, @Nullable String key) {
        jdbc.update(
                "update job set key = null where key = ? and state in ('failed', 'cancelled')",
                key);
        String holder = Tokens.next();
        Job created =
                one(
                        """
                        insert into job (kind, state, ready, request, key, holder, lease_until)
                        values (?, 'waiting', false, ?::jsonb, ?, ?, clock_timestamp() + ?::interval)
                        on conflict (key) do nothing
                        returning\s"""
                                + COLUMNS,
                        kind,
                        text(request),
                        key,
                        holder,
                        lease());
        return created != null
                ? new Begun(created, new Claim(this, created.id(), holder))
                : goOn(kind, request, Objects.requireNonNull(key), holder);
    }

    private Begun goOn(String kind, JsonNode request, String key, String holder) {
        Job job = one("select " + COLUMNS + " from job where key = ? for update", key);
        if (job == null || !job.kind().equals(kind) || !job.request().equals(request)) {
            throw job == null ? Problems.idempotencyInFlight() : Problems.idempotencyMismatch();
        }
        boolean arrived =
                Boolean.TRUE.equals(
                        jdbc.queryForObject(
                                "select ready or state <> 'waiting' from job where job_id = ?",
                                Boolean.class,
                                job.id()));
        if (arrived) {
            return new Begun(job, null);
        }
        Job taken =
                one(
                        """
                        update job
                        set    holder = ?, lease_until = clock_timestamp() + ?::interval
                        where  job_id = ? and lease_until < clock_timestamp()
                        returning\s"""
                                + COLUMNS,
                        holder,
                        lease(),
                        job.id());
        if (taken == null) {
            throw Problems.idempotencyInFlight();
        }
        return new Begun(taken, new Claim(this, taken.id(), holder));
    }

    /** Takes up the oldest job of these kinds that nobody holds; null when there is none. */
    @Nullable Claim claim(Collection<String> kinds) {
        String holder = Tokens.next();
        Job job =
                one(
                        """
                        update job
                        set    state = 'running', holder = ?,
                               lease_until = clock_timestamp() + ?::interval
                        where  job_id = (select job_id from job
                                         where  state in ('waiting', 'running') and ready
                                         and    lease_until < clock_timestamp() and kind = any (?)
                                         order  by job_id limit 1 for update skip locked)
                        returning\s"""
                                + COLUMNS,
                        holder,
                        lease(),
                        kinds.toArray(String[]::new));
        return job == null ? null : new Claim(this, job.id(), holder);
    }

    Job renew(long id, String holder) {
        Job job =
                one(
                        """
                        update job set lease_until = clock_timestamp() + ?::interval
                        where  job_id = ? and holder = ? and state in ('waiting', 'running')
                        returning\s"""
                                + COLUMNS,
                        lease(),
                        id,
                        holder);
        if (job == null) {
            throw new ClaimLostException(id);
        }
        return job;
    }

    void save(long id, String holder, JsonNode position, long done, JsonNode report) {
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
                        lease(),
                        id,
                        holder);
        if (saved == 0) {
            throw new ClaimLostException(id);
        }
    }

    void ready(long id, String holder, JsonNode position, long total, JsonNode report) {
        int ready =
                jdbc.update(
                        """
                        update job
                        set    ready = true, position = ?::jsonb, total = ?, report = ?::jsonb,
                               holder = '', lease_until = 'epoch'
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

    void end(long id, String holder, State state, JsonNode report) {
        jdbc.update(
                """
                update job
                set    state = ?, report = ?::jsonb, holder = '', finished_at = clock_timestamp()
                where  job_id = ? and holder = ? and state in ('waiting', 'running')
                """,
                state.label(),
                text(report),
                id,
                holder);
    }

    void breakOff(long id, String holder, boolean again) {
        jdbc.update(
                "delete from job where job_id = ? and holder = ? and position = '{}'", id, holder);
        if (again) {
            release(id, holder);
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

    void release(long id, String holder) {
        jdbc.update(
                """
                update job set holder = '', lease_until = clock_timestamp()
                where  job_id = ? and holder = ?
                """,
                id,
                holder);
    }

    /** Finds a job by its number. */
    public Optional<Job> find(long id) {
        return Optional.ofNullable(one("select " + COLUMNS + " from job where job_id = ?", id));
    }

    /** Lists jobs, the newest first: those of a state, or all; with smaller numbers than this. */
    List<Job> list(@Nullable State state, long below, int limit) {
        String label = state == null ? null : state.label();
        return jdbc.query(
                "select "
                        + COLUMNS
                        + """
                         from  job
                        where  job_id < ? and (?::text is null or state = ?)
                        order  by job_id desc limit ?
                        """,
                (row, _) -> job(row),
                below,
                label,
                label,
                limit);
    }

    /** Cancels a job that has not come to its end; what is done of it stays done. */
    void cancel(long id) {
        jdbc.update(
                """
                update job set state = 'cancelled', holder = '', finished_at = clock_timestamp()
                where  job_id = ? and state in ('waiting', 'running')
                """,
                id);
    }

    /** Ends jobs whose needs stopped arriving so long ago, or that nobody can go on with. */
    int abandon(Duration after) {
        return jdbc.update(
                """
                update job
                set    state = 'failed', holder = '', finished_at = clock_timestamp(),
                       report = report || '{"error": "it never arrived as a whole"}'
                where  state = 'waiting' and not ready
                and    lease_until < clock_timestamp()
                                     - case when key is null then '1 minute' else ?::interval end
                """,
                seconds(after));
    }

    /** Deletes jobs that came to their end so long ago. */
    int forget(Duration after) {
        return jdbc.update(
                "delete from job where finished_at < clock_timestamp() - ?::interval",
                seconds(after));
    }

    private @Nullable Job one(String sql, @Nullable Object... arguments) {
        List<Job> found = jdbc.query(sql, (row, _) -> job(row), arguments);
        return found.isEmpty() ? null : found.getFirst();
    }

    private static Job job(ResultSet row) throws SQLException {
        long total = row.getLong("total");
        boolean unknown = row.wasNull();
        Timestamp finished = row.getTimestamp("finished_at");
        return new Job(
                row.getLong("job_id"),
                row.getString("kind"),
                Objects.requireNonNull(State.of(row.getString("state"))),
                json(row.getString("request")),
                json(row.getString("position")),
                row.getLong("done"),
                unknown ? null : total,
                json(row.getString("report")),
                row.getTimestamp("started_at").toInstant(),
                finished == null ? null : finished.toInstant());
    }

    private static JsonNode json(String text) {
        try {
            return Json.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(JsonNode json) {
        return new String(Json.bytes(json), StandardCharsets.UTF_8);
    }

    private String lease() {
        return seconds(lease);
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() / 1000.0 + " seconds";
    }
}
