package dev.ovation.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Jobs are counted by kind and state; the age is that of the oldest job that has not ended. */
@Beside
class JobMetricsTest {

    private static final String IMPORT = "import-users";
    private static final String ERASURE = "erase-user";

    private final JdbcTemplate jdbc = new JdbcTemplate(TestPostgres.database());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final JobMetrics metrics =
            new JobMetrics(
                    new JobTable(jdbc, Duration.ofSeconds(10)), List.of(IMPORT, ERASURE), registry);

    @Test
    void eachKindAndStateIsShownFromTheBeginning() {
        assertThat(jobs(IMPORT, "failed")).isZero();
        assertThat(jobs(ERASURE, "waiting")).isZero();
        assertThat(age(ERASURE)).isZero();
    }

    @Test
    void theCountsAreThoseOfTheTable() {
        insert(IMPORT, "failed", "now() - interval '2 hours'", "now()");
        insert(IMPORT, "waiting", "now() - interval '1 hour'", "null");
        insert(IMPORT, "running", "now() - interval '10 minutes'", "null");
        insert(ERASURE, "done", "now() - interval '1 day'", "now()");

        metrics.look();

        assertThat(jobs(IMPORT, "failed")).isOne();
        assertThat(jobs(IMPORT, "waiting")).isOne();
        assertThat(jobs(IMPORT, "done")).isZero();
        assertThat(jobs(ERASURE, "done")).isOne();
        assertThat(age(IMPORT)).isBetween(3600.0, 7200.0);
        assertThat(age(ERASURE)).isZero();
    }

    @Test
    void theCountsStayWhilePostgresDoesNotAnswer() {
        var nowhere = new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/none");
        var down =
                new JobMetrics(
                        new JobTable(new JdbcTemplate(nowhere), Duration.ofSeconds(10)),
                        List.of("other"),
                        registry);
        down.look();
        assertThat(jobs("other", "running")).isZero();
    }

    private void insert(String kind, String state, String started, String finished) {
        jdbc.update(
                """
                insert into job (kind, state, ready, request, started_at, finished_at)
                values (?, ?, false, '{}', %s, %s)
                """
                        .formatted(started, finished),
                kind,
                state);
    }

    private double jobs(String kind, String state) {
        return registry.get("ovation.jobs").tags("kind", kind, "state", state).gauge().value();
    }

    private double age(String kind) {
        return registry.get("ovation.job.oldest")
                .tag("kind", kind)
                .timeGauge()
                .value(TimeUnit.SECONDS);
    }
}
