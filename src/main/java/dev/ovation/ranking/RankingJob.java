package dev.ovation.ranking;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.store.postgres.PostgresReason;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

import java.time.Duration;

/** Updates the ranking from the counters, about every second; several instances take turns. */
@Component
class RankingJob implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(RankingJob.class);
    private static final double NANOS = 1e9;

    /** Entities that one transaction ranks at most. */
    private static final int BATCH = 500;

    private final Ranking ranking;
    private volatile int batch = BATCH;

    /**
     * Time of the ranking, by {@link #now}; its age grows by itself while the time cannot be read.
     */
    private volatile double asOf = Double.NaN;

    RankingJob(Ranking ranking, MeterRegistry registry) {
        this.ranking = ranking;
        Gauge.builder("ovation.ranking.age", () -> now() - asOf)
                .description("Time since the moment all of whose changes are in the ranking")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Returns seconds since an arbitrary moment. */
    private static double now() {
        return System.nanoTime() / NANOS;
    }

    @Override
    public String name() {
        return "ranking";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(1);
    }

    /** Ranks a batch of entities. A failed step is repeated with half the batch. */
    @Override
    public StepResult step(Turn turn) {
        boolean more;
        try {
            more = ranking.follow(batch);
        } catch (DataAccessException | TransactionException e) {
            batch = Math.max(1, batch / 2); // an entity with thousands of counts may take too long
            throw e;
        }
        batch = Math.min(BATCH, 2 * batch);
        return more ? StepResult.MORE : StepResult.DONE;
    }

    /** Reads the age in each instance, whichever instance updates the ranking. */
    @Scheduled(fixedDelay = 1000, initialDelay = 1000)
    void readAge() {
        try {
            asOf = now() - ranking.age();
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The age of the ranking is not read: {}", PostgresReason.of(e));
        }
    }
}
