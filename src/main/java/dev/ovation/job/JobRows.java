package dev.ovation.job;

import dev.ovation.job.Job.JobState;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Converts rows of table {@code job} to jobs, and members of jobs to arguments of statements. */
final class JobRows {

    /** The columns of a job. */
    static final String COLUMNS =
            """
            job_id, kind, state, request, position, done, total, report, started_at, finished_at
            """;

    private JobRows() {}

    /** The one job that a statement returns; null when it returns none. */
    static @Nullable Job one(JdbcTemplate jdbc, String sql, @Nullable Object... arguments) {
        List<Job> found = jdbc.query(sql, (row, _) -> job(row), arguments);
        return found.isEmpty() ? null : found.getFirst();
    }

    static Job job(ResultSet row) throws SQLException {
        long total = row.getLong("total");
        boolean unknown = row.wasNull();
        Timestamp finished = row.getTimestamp("finished_at");
        return new Job(
                row.getLong("job_id"),
                row.getString("kind"),
                Objects.requireNonNull(JobState.of(row.getString("state"))),
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

    static String text(JsonNode json) {
        return new String(Json.bytes(json), StandardCharsets.UTF_8);
    }

    /** Returns a duration as an interval of Postgres. */
    static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }
}
