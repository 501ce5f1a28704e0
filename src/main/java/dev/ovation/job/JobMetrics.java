package dev.ovation.job;

import dev.ovation.job.Job.JobState;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.TransactionException;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of jobs, from the table: the same in all instances. While Postgres does not answer,
 * the last counts stay, and the ages grow.
 */
class JobMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(JobMetrics.class);

    private final JobTable jobs;
    private volatile List<JobCount> counts = List.of();

    /**
     * Number of jobs of a kind in a state.
     *
     * @param oldest time of the oldest request
     */
    record JobCount(String kind, JobState state, long jobs, Instant oldest) {

        boolean isOpen() {
            return state == JobState.WAITING || state == JobState.RUNNING;
        }
    }

    JobMetrics(JobTable jobs, Collection<String> kinds, MeterRegistry registry) {
        this.jobs = jobs;
        for (String kind : kinds) {
            for (JobState state : JobState.values()) {
                Gauge.builder("ovation.jobs", () -> number(kind, state))
                        .description("Jobs in the table, by state; ended ones until their purge")
                        .tag("kind", kind)
                        .tag("state", state.label())
                        .register(registry);
            }
            TimeGauge.builder(
                            "ovation.job.oldest", () -> age(kind).toMillis(), TimeUnit.MILLISECONDS)
                    .description("Age of the oldest job that has not ended; 0 without one")
                    .tag("kind", kind)
                    .register(registry);
        }
    }

    @Scheduled(fixedDelay = 5000)
    void look() {
        try {
            counts = jobs.counts();
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The jobs are not counted: {}", e.getClass().getName());
        }
    }

    private long number(String kind, JobState state) {
        return counts.stream()
                .filter(each -> each.kind().equals(kind) && each.state() == state)
                .mapToLong(JobCount::jobs)
                .sum();
    }

    private Duration age(String kind) {
        return counts.stream()
                .filter(each -> each.kind().equals(kind) && each.isOpen())
                .map(each -> Duration.between(each.oldest(), Instant.now()))
                .filter(Duration::isPositive)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
