package dev.ovation.ranking;

import dev.ovation.store.PostgresReason;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets the ranking follow the counters, about every second; several instances take turns. Where
 * much is marked at once, as by an import, each instance works half of the time at most, so that
 * those who wait for an answer get through.
 */
@Component
class RankingJob {

    private static final Logger LOG = LoggerFactory.getLogger(RankingJob.class);
    private static final double NANOS = 1e9;

    /** Entities that one transaction takes in at most. */
    private static final int BATCH = 500;

    private final Ranking ranking;
    private volatile boolean failing;
    private volatile int batch = BATCH;

    /** By {@link #now}; its age grows by itself while it cannot be read. */
    private volatile double asOf = Double.NaN;

    RankingJob(Ranking ranking, MeterRegistry registry) {
        this.ranking = ranking;
        Gauge.builder("ovation.ranking.age", () -> now() - asOf)
                .description("Time since the moment all of whose changes are in the ranking")
                .baseUnit("seconds")
                .register(registry);
    }

    /** In seconds since some moment. */
    private static double now() {
        return System.nanoTime() / NANOS;
    }

    @Scheduled(fixedDelay = 1000, initialDelay = 1000)
    void follow() {
        try {
            long begun = System.nanoTime();
            while (ranking.follow(batch)) {
                batch = Math.min(BATCH, 2 * batch);
                LockSupport.parkNanos(System.nanoTime() - begun);
                if (Thread.interrupted()) {
                    return;
                }
                begun = System.nanoTime();
            }
            asOf = now() - ranking.age();
            if (failing) {
                LOG.info("The ranking follows again");
                failing = false;
            }
        } catch (DataAccessException | TransactionException e) {
            batch = Math.max(1, batch / 2); // what has thousands of counts may take too long
            if (!failing) {
                LOG.warn("The ranking does not follow: {}", PostgresReason.of(e));
                failing = true;
            }
        }
    }
}
