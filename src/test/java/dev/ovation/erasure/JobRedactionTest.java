package dev.ovation.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.job.Job;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobLease;
import dev.ovation.job.JobLeaseLostException;
import dev.ovation.job.JobTable;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Data that {@link JobRedaction} removes from table {@code job}, and leases that it ends. */
class JobRedactionTest {

    private static final JdbcTemplate JDBC = new JdbcTemplate(TestPostgres.database());
    private static final String KIND = "dig";
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final JobTable jobs = new JobTable(JDBC, Duration.ofHours(1));
    private final JobRedaction redaction = new JobRedaction(JDBC, Set.of("tell"));

    @BeforeEach
    void empty() {
        JDBC.execute("truncate job");
    }

    @Test
    void removesTheUserFromReportsAndRequestsAndKeepsTheRest() {
        JsonNode report =
                json(
                        """
                        {"rows":2,"ann":"x","bad":{"count":2,"first":[{"user_id":"ann"},
                         {"user_id":"annabel","reactions":["a"]}]},"none":{"first":[]}}
                        """);
        JobLease ended = acquired(KIND, "ended");
        ended.finish(JobState.FAILED, report);
        JDBC.update("update job set request = '{\"user_id\":\"ann\"}'");

        redaction.redact("ann");

        Job job = jobs.find(ended.id()).orElseThrow();
        assertThat(job.request()).isEqualTo(NOTHING);
        assertThat(job.report())
                .isEqualTo(
                        json(
                                """
                                {"rows":2,"ann":"x","bad":{"count":2,"first":[
                                 {"user_id":"annabel","reactions":["a"]}]},"none":{"first":[]}}
                                """));
    }

    @Test
    void theHolderOfARedactedJobLosesItsLease() {
        JobLease lease = acquired(KIND, "lease");
        JobLease other = acquired(KIND, "other");
        lease.save(position(1), 1, json("{\"bad\":{\"first\":[{\"user_id\":\"ann\"}]}}"));

        redaction.redact("ann");

        assertThatThrownBy(() -> lease.save(position(2), 2, NOTHING))
                .isInstanceOf(JobLeaseLostException.class);
        other.save(position(2), 2, NOTHING);
        assertThat(holderOf(lease)).isEmpty();
        assertThat(holderOf(other)).isNotEmpty();
    }

    @Test
    void theHolderOfAJobThatMayNameUsersLosesItsLease() {
        JobLease lease = acquired("tell", "key");

        redaction.redact("ann");

        assertThatThrownBy(lease::renew).isInstanceOf(JobLeaseLostException.class);
    }

    /** Erasures create jobs themselves, and each erasure searches for jobs that name its user. */
    @Test
    void findsItsJobsByIndexesHoweverManyAreKept() {
        JDBC.execute(
                """
                insert into job (kind, state, ready, request, report, finished_at)
                select 'dig', 'done', true, '{}', '{"reactions": 3}', now()
                from   generate_series(1, 5000)
                """);
        jobs.start("tell", json("{\"user_id\":\"ben\"}"), "key");
        JDBC.execute("analyze job");
        String redact =
                JobRedaction.SQL
                        .replaceFirst("\\?", "'ann'")
                        .replaceFirst("any \\(\\?\\)", "any ('{tell}')");

        List<String> plan = TestPostgres.rows(JDBC, "explain (costs off) " + redact);

        assertThat(plan)
                .anyMatch(line -> line.contains("on job_naming_users"))
                .anyMatch(line -> line.contains("on job_unfinished"))
                .noneMatch(line -> line.contains("Seq Scan on job"));
    }

    /** Objects and users may both have numbers as names. */
    @Test
    void keepsOtherValuesThatEqualTheUser() {
        JsonNode report =
                json(
                        """
                        {"bad":{"count":3,"first":[{"namespace_id":"12","entity_id":"12","kinds":9},
                         {"reaction_id":"12"},{"user_id":"1","reactions":["12"]}]}}
                        """);
        JobLease ended = acquired(KIND, "ended");
        ended.finish(JobState.FAILED, report);
        JDBC.update("update job set request = '{\"entity_id\":\"12\"}'");

        redaction.redact("12");

        Job job = jobs.find(ended.id()).orElseThrow();
        assertThat(job.report()).isEqualTo(report);
        assertThat(job.request()).isEqualTo(json("{\"entity_id\":\"12\"}"));
    }

    /** A running job with a lease of the caller. */
    private JobLease acquired(String kind, String key) {
        JobLease lease = Objects.requireNonNull(jobs.start(kind, NOTHING, key).lease());
        JDBC.update("update job set state = 'running' where job_id = ?", lease.id());
        return lease;
    }

    private static String holderOf(JobLease lease) {
        return JDBC.queryForObject(
                "select holder from job where job_id = ?", String.class, lease.id());
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static JsonNode position(int n) {
        return JsonNodeFactory.instance.objectNode().put("n", n);
    }
}
