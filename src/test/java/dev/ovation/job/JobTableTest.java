package dev.ovation.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.job.Job.JobState;
import dev.ovation.testing.TestPostgres;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

class JobTableTest {

    private static final JdbcTemplate JDBC = new JdbcTemplate(TestPostgres.database());
    private static final String KIND = "dig";
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    /** Its leases outlive a test: {@link #leaseEnds} ends them. */
    private final JobTable jobs = new JobTable(JDBC, Duration.ofHours(1));

    @BeforeEach
    void empty() {
        JDBC.execute("truncate job");
    }

    @Test
    void aJobIsHeldByOne() throws Exception {
        IntStream.range(0, 37).forEach(_ -> ready());
        try (var threads = Executors.newFixedThreadPool(4)) {
            var leases =
                    threads.invokeAll(
                            IntStream.range(0, 377)
                                    .mapToObj(
                                            _ ->
                                                    (Callable<JobLease>)
                                                            () -> jobs.acquire(List.of(KIND)))
                                    .toList());
            var held =
                    leases.stream()
                            .map(lease -> lease.resultNow())
                            .filter(Objects::nonNull)
                            .map(JobLease::id)
                            .toList();
            assertThat(held).hasSize(37).doesNotHaveDuplicates();
        }
    }

    @Test
    void aLostLeaseCanNeitherSaveNorEndTheJob() {
        ready();
        JobLease first = acquired();
        leaseEnds();
        JobLease second = acquired();

        assertThatThrownBy(() -> first.save(position(1), 1, NOTHING))
                .isInstanceOf(JobLeaseLostException.class);
        assertThatThrownBy(first::renew).isInstanceOf(JobLeaseLostException.class);
        first.finish(JobState.DONE, NOTHING);
        first.release();
        second.save(position(2), 2, NOTHING);
        Job job = second.renew();
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        assertThat(job.position()).isEqualTo(position(2));
        assertThat(jobs.acquire(List.of(KIND))).isNull();
    }

    @Test
    void aCancelledJobCannotBeCarriedOn() {
        ready();
        JobLease lease = acquired();
        jobs.cancel(lease.id());

        assertThatThrownBy(() -> lease.save(position(1), 1, NOTHING))
                .isInstanceOf(JobLeaseLostException.class);
        assertThat(jobs.find(lease.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    /** A holder must publish its last step. */
    @Test
    void aJobThatWasCancelledIsTakenUpOnceMore() {
        ready();
        acquired().save(position(1), 1, NOTHING);
        jobs.cancel(onlyJob().id());

        JobLease lease = acquired();
        assertThat(lease.renew()).isEqualTo(onlyJob());
        assertThat(onlyJob().state()).isEqualTo(JobState.CANCELLED);
        assertThat(onlyJob().position()).isEqualTo(position(1));
        assertThat(jobs.acquire(List.of(KIND))).isNull();
        lease.settle();
        assertThat(jobs.acquire(List.of(KIND))).isNull();
        leaseEnds();
        assertThat(jobs.acquire(List.of(KIND))).isNull();
    }

    private Job onlyJob() {
        return jobs.list(null, Long.MAX_VALUE, 2).getFirst();
    }

    @Test
    void onlyReadyJobsOfAKnownKindAreAcquiredOldestFirst() {
        JobLease arriving = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).lease());
        leaseEnds();
        assertThat(jobs.acquire(List.of(KIND))).isNull();
        long second = ready();

        arriving.markReady(NOTHING, 1, NOTHING);

        assertThat(jobs.acquire(List.of("sing"))).isNull();
        assertThat(acquired().id()).isEqualTo(arriving.id());
        assertThat(acquired().id()).isEqualTo(second);
    }

    @Test
    void aRepeatedKeyContinuesTheSameJob() {
        var first = jobs.begin(KIND, NOTHING, "key");
        assertProblem(ProblemCode.IDEMPOTENCY_IN_FLIGHT, "key", NOTHING);
        JobLease lease = Objects.requireNonNull(first.lease());
        lease.save(position(1), 0, NOTHING);
        lease.suspend(true);

        assertProblem(ProblemCode.IDEMPOTENCY_MISMATCH, "key", position(7));
        var again = jobs.begin(KIND, NOTHING, "key");
        assertThat(again.job().id()).isEqualTo(first.job().id());
        assertThat(again.job().position()).isEqualTo(position(1));
        Objects.requireNonNull(again.lease()).markReady(NOTHING, 1, NOTHING);
        var late = jobs.begin(KIND, NOTHING, "key");
        assertThat(late.lease()).isNull();
        assertThat(late.job().id()).isEqualTo(first.job().id());
    }

    @Test
    void theKeyOfAJobThatFailedBeginsAnother() {
        var first = jobs.begin(KIND, NOTHING, "key");
        Objects.requireNonNull(first.lease()).finish(JobState.FAILED, NOTHING);

        var second = jobs.begin(KIND, NOTHING, "key");

        assertThat(second.lease()).isNotNull();
        assertThat(second.job().id()).isNotEqualTo(first.job().id());
    }

    @Test
    void aSuspendedJobWithoutInputIsDeleted() {
        var first = jobs.begin(KIND, NOTHING, "key");
        Objects.requireNonNull(first.lease()).suspend(true);

        assertThat(jobs.find(first.job().id())).isEmpty();
    }

    @Test
    void aSuspendedJobWaitsOnlyIfItHasAKey() {
        JobLease without = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).lease());
        JobLease with = Objects.requireNonNull(jobs.begin(KIND, NOTHING, "key").lease());
        without.save(position(1), 0, NOTHING);
        with.save(position(1), 0, NOTHING);
        without.suspend(false);
        with.suspend(true);

        assertThat(jobs.expireSuspended(Duration.ofDays(1))).isZero();
        assertThat(jobs.find(without.id()).orElseThrow().state()).isEqualTo(JobState.FAILED);
        assertThat(jobs.find(with.id()).orElseThrow().state()).isEqualTo(JobState.WAITING);
        JDBC.update("update job set lease_until = clock_timestamp() - interval '2 days'");
        assertThat(jobs.expireSuspended(Duration.ofDays(1))).isEqualTo(1);
        assertThat(jobs.find(with.id()).orElseThrow().report().at("/error").stringValue())
                .isNotBlank();
    }

    @Test
    void jobsAreForgottenLongAfterTheirEnd() {
        long job = ready();
        acquired().finish(JobState.DONE, NOTHING);

        assertThat(jobs.purge(Duration.ofDays(1))).isZero();
        JDBC.update("update job set finished_at = clock_timestamp() - interval '2 days'");
        assertThat(jobs.purge(Duration.ofDays(1))).isEqualTo(1);
        assertThat(jobs.find(job)).isEmpty();
    }

    @Test
    void aStartedJobIsHeldByItsStarterUntilTheLeaseEnds() {
        var begun = jobs.start(KIND, position(1), "key");
        assertThat(jobs.acquire(List.of(KIND))).isNull();
        assertThat(jobs.start(KIND, position(1), "key").lease()).isNull();
        leaseEnds();

        var joined = jobs.start(KIND, position(1), "key");
        assertThat(joined.lease()).isNull();
        assertThat(joined.job().id()).isEqualTo(begun.job().id());
        assertThat(acquired().id()).isEqualTo(begun.job().id());
    }

    @Test
    void anErasedJobKeepsOnlyStateAndReport() {
        var begun = jobs.start(KIND, position(1), "key");
        JobLease lease = Objects.requireNonNull(begun.lease());
        lease.save(position(2), 1, NOTHING);
        lease.finishAndErase(position(3));

        Job job = jobs.find(lease.id()).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.DONE);
        assertThat(job.request()).isEqualTo(NOTHING);
        assertThat(job.position()).isEqualTo(NOTHING);
        assertThat(job.report()).isEqualTo(position(3));
        assertThat(jobs.start(KIND, position(1), "key").job().id()).isNotEqualTo(lease.id());
    }

    private long ready() {
        JobLease lease = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).lease());
        lease.markReady(NOTHING, 10, NOTHING);
        return lease.id();
    }

    private JobLease acquired() {
        return Objects.requireNonNull(jobs.acquire(List.of(KIND)));
    }

    private static void leaseEnds() {
        JDBC.update("update job set lease_until = clock_timestamp() - interval '1 second'");
    }

    private void assertProblem(ProblemCode code, String key, JsonNode request) {
        assertThatThrownBy(() -> jobs.begin(KIND, request, key))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.code()).isEqualTo(code));
    }

    private static JsonNode position(int n) {
        return JsonNodeFactory.instance.objectNode().put("n", n);
    }
}
