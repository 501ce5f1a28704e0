package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/** Imports through HTTP, and their jobs. */
public final class Imports {

    public static final String CSV = "text/csv";
    public static final String NDJSON = "application/x-ndjson";
    public static final String HEADER = "namespace_id,entity_id,user_id,reaction_id,reacted_at\n";

    /** A job may wait for earlier ones; no test checks that time. */
    static final Duration BOUND = Duration.ofMinutes(5);

    private Imports() {}

    /**
     * A file in which each of {@code users} users, from {@code imported-0}, gives all these
     * entities a 🔥.
     */
    public static String everywhere(String namespace, List<String> entities, int users) {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < users; i++) {
            for (String entity : entities) {
                file.append("%s,%s,imported-%d,🔥,%d\n".formatted(namespace, entity, i, 1000 + i));
            }
        }
        return file.toString();
    }

    /** Sends a file and returns its job when the job has ended. */
    public static JsonNode run(Instance service, String query, String body, String... headers) {
        return done(service, id(send(service, query, CSV, body, headers)));
    }

    /** Sends a file; {@code headers} alternate names and values. */
    public static Answer send(
            Instance service, String query, String type, String body, String... headers) {
        return service.send("POST", "/imports?" + query, body, with(type, headers));
    }

    public static Answer sendTo(
            int port, String query, String type, String body, String... headers) {
        return Instance.sendTo(port, "POST", "/imports?" + query, body, with(type, headers));
    }

    private static String[] with(String type, String... headers) {
        var all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 2, headers.length);
        all[0] = "Content-Type";
        all[1] = type;
        return all;
    }

    /** The job id in an answer. */
    public static String id(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        String id = answer.json().at("/job_id").stringValue();
        assertThat(answer.headers().get("location")).isEqualTo("/jobs?job_id=" + id);
        return id;
    }

    public static JsonNode job(int port, String id) {
        return Instance.sendTo(port, "GET", "/jobs?job_id=" + id, null).json();
    }

    /** Waits until a job succeeds. */
    public static JsonNode done(Instance service, String id) {
        return done(service.port(), id);
    }

    public static JsonNode done(int port, String id) {
        Wait.until("job " + id + " ends", BOUND, () -> job(port, id).has("finished_at"));
        JsonNode job = job(port, id);
        assertThat(job.at("/state").stringValue()).as(job.toString()).isEqualTo("done");
        assertThat(job.at("/done")).isEqualTo(job.at("/total"));
        return job;
    }
}
