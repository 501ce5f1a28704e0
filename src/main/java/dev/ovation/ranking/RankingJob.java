package dev.ovation.ranking;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Lets the ranking follow the counters, about every second; several instances take turns. */
@Component
class RankingJob {

    private static final Logger LOG = LoggerFactory.getLogger(RankingJob.class);
    private static final double NANOS = 1e9;

    private final Ranking ranking;
    private volatile boolean failing;

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
            boolean more = true;
            while (more) {
                more = ranking.follow();
            }
            asOf = now() - ranking.age();
            if (failing) {
                LOG.info("The ranking follows again");
                failing = false;
            }
        } catch (DataAccessException | TransactionException e) {
            if (!failing) {
                LOG.warn("The ranking does not follow: {}", e.getMessage());
                failing = true;
            }
        }
    }
}
