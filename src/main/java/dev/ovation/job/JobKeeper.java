package dev.ovation.job;

import dev.ovation.store.PostgresReason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Ends what broke off and forgets what is long past. */
class JobKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(JobKeeper.class);

    private final Jobs jobs;
    private final JobSettings settings;
    private volatile boolean failing;

    JobKeeper(Jobs jobs, JobSettings settings) {
        this.jobs = jobs;
        this.settings = settings;
    }

    @Scheduled(fixedDelay = 5_000, initialDelay = 5_000)
    void tidy() {
        try {
            int abandoned = jobs.abandon(settings.abandon());
            int forgotten = jobs.forget(settings.keep());
            if (abandoned + forgotten > 0) {
                LOG.info("{} jobs never arrived, {} are forgotten", abandoned, forgotten);
            }
            if (failing) {
                LOG.info("Old jobs are forgotten again");
                failing = false;
            }
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("Old jobs stay for now: {}", PostgresReason.of(e));
                failing = true;
            }
        }
    }
}
