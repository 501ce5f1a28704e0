package dev.ovation.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobHandler.StepOutcome;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

@Beside
class JobWorkerTest {

    private static final JdbcTemplate JDBC = new JdbcTemplate(TestPostgres.database());
    private static final String KIND = "dig";
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    /**
     * A third of it passes between two renewals: on a busy machine the next may be seconds late.
     */
    private static final Duration LEASE = Duration.ofSeconds(30);

    /**
     * Longer than a lease, and than a hundred attempts to publish the end of a job on a busy
     * machine.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final JobTable jobs = new JobTable(JDBC, LEASE);
    private final AtomicInteger pieces = new AtomicInteger();
    private boolean telling = true;

    /** A single step, which outlasts its first lease. */
    private final JobHandler longWork =
            work(
                    KIND,
                    (_, lease) -> {
                        pieces.incrementAndGet();
                        String end =
                                JDBC.queryForObject(
                                        "select lease_until + interval '1 second' from job",
                                        String.class);
                        Wait.until(
                                "a second more than its lease has passed",
                                PATIENCE,
                                () ->
                                        JDBC.queryForObject(
                                                "select clock_timestamp() > ?::timestamptz",
                                                Boolean.class,
                                                end));
                        lease.finish(JobState.DONE, NOTHING);
                    });

    @BeforeEach
    void empty() {
        JDBC.execute("truncate job");
    }

    @Test
    void aStepLongerThanALeaseIsNotBegunElsewhere() {
        long job = ready(KIND);
        var settings = new JobSettings(2, LEASE, Duration.ofMillis(50), Duration.ofDays(1));
        var workers =
                List.of(
                        new JobWorker(jobs, List.of(longWork), settings),
                        new JobWorker(jobs, List.of(longWork), settings));

        workers.forEach(JobWorker::start);
        try {
            awaitDone(job);
        } finally {
            workers.forEach(JobWorker::stop);
        }

        assertThat(pieces).hasValue(1);
    }

    @Test
    void noKindOfWorkWaitsBehindAnother() {
        ready(KIND);
        ready(KIND);
        ready(KIND);
        long quick = ready("sing");
        var held = new CountDownLatch(1);
        var settings = new JobSettings(2, LEASE, Duration.ofMillis(50), Duration.ofDays(1));
        var jobWorker =
                new JobWorker(
                        jobs,
                        List.of(
                                endless(held),
                                work("sing", (_, lease) -> lease.finish(JobState.DONE, NOTHING))),
                        settings);

        jobWorker.start();
        try {
            Wait.until("the others hold their maximum", () -> pieces.get() == 2);
            awaitDone(quick);
            assertThat(pieces).hasValue(2);
        } finally {
            held.countDown();
            jobWorker.stop();
        }
    }

    @Test
    void anUnacknowledgedJobBlocksNoOtherAndIsNotPurged() {
        telling = false;
        long cancelled = ready(KIND);
        jobs.cancel(cancelled);
        long next = ready(KIND);
        var settings = new JobSettings(1, LEASE, Duration.ofMillis(50), Duration.ofDays(1));
        var work = work(KIND, (_, lease) -> lease.finish(JobState.DONE, NOTHING));
        var jobWorker = new JobWorker(jobs, List.of(work), settings);

        jobWorker.start();
        try {
            awaitDone(next);
        } finally {
            jobWorker.stop();
        }
        JDBC.execute("update job set finished_at = 'epoch'");

        assertThat(jobs.purge(Duration.ofDays(1))).isOne();
        assertThat(jobs.find(cancelled)).isPresent();
    }

    @Test
    void aJobThatComesLaterBlocksNoOther() {
        long first = ready(KIND);
        long next = ready(KIND);
        var settings = new JobSettings(1, LEASE, Duration.ofMillis(50), Duration.ofDays(1));
        var work =
                stepping(
                        KIND,
                        (job, lease) -> {
                            if (job.id() == first && !isDone(next)) {
                                return StepOutcome.LATER;
                            }
                            lease.finish(JobState.DONE, NOTHING);
                            return StepOutcome.ENDED;
                        });
        var jobWorker = new JobWorker(jobs, List.of(work), settings);

        jobWorker.start();
        try {
            awaitDone(next);
            awaitDone(first);
        } finally {
            jobWorker.stop();
        }
    }

    private boolean isDone(long job) {
        return jobs.find(job).orElseThrow().state() == JobState.DONE;
    }

    private void awaitDone(long job) {
        Wait.until("it is done", PATIENCE, () -> isDone(job));
    }

    private JobHandler endless(CountDownLatch held) {
        return work(
                KIND,
                (_, lease) -> {
                    pieces.incrementAndGet();
                    held.await();
                    lease.finish(JobState.DONE, NOTHING);
                });
    }

    private interface Step {
        StepOutcome make(Job job, JobLease lease) throws InterruptedException;
    }

    private interface Piece {
        void make(Job job, JobLease lease) throws InterruptedException;
    }

    private JobHandler work(String kind, Piece last) {
        return stepping(
                kind,
                (job, lease) -> {
                    last.make(job, lease);
                    return StepOutcome.ENDED;
                });
    }

    private JobHandler stepping(String kind, Step step) {
        return new JobHandler() {
            @Override
            public Set<String> kinds() {
                return Set.of(kind);
            }

            @Override
            public boolean reacknowledge(Job job) {
                return telling || !job.isOver();
            }

            @Override
            public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
                return step.make(job, lease);
            }
        };
    }

    private long ready(String kind) {
        JobLease lease = Objects.requireNonNull(jobs.begin(kind, NOTHING, null).lease());
        lease.markReady(NOTHING, 1, NOTHING);
        return lease.id();
    }
}
