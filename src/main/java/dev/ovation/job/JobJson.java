package dev.ovation.job;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** A job in an answer. */
public final class JobJson {

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private JobJson() {}

    /** Returns the path of a job, for the {@code Location} of an answer. */
    public static String location(Job job) {
        return "/jobs?job_id=" + job.id();
    }

    /** The members of a job, in the order of the answer. */
    public static Map<String, Object> of(Job job) {
        var json = new LinkedHashMap<String, Object>();
        json.put("job_id", Long.toString(job.id()));
        json.put("kind", job.kind());
        json.put("state", job.state().label());
        json.put("done", job.done());
        if (job.total() != null) {
            json.put("total", job.total());
        }
        json.put("started_at", time(job.startedAt()));
        if (job.finishedAt() != null) {
            json.put("finished_at", time(job.finishedAt()));
        }
        json.put("report", job.report());
        return json;
    }

    private static String time(Instant instant) {
        return MILLISECONDS.format(instant);
    }
}
