package dev.ovation.job;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** Ends what broke off and forgets what is long past. */
class JobKeeper implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(JobKeeper.class);

    private final Jobs jobs;
    private final JobSettings settings;

    JobKeeper(Jobs jobs, JobSettings settings) {
        this.jobs = jobs;
        this.settings = settings;
    }

    @Override
    public String job() {
        return "old-jobs";
    }

    @Override
    public Duration every() {
        return Duration.ofSeconds(5);
    }

    @Override
    public Progress step(Turn turn) {
        int abandoned = jobs.abandon(settings.abandon());
        int forgotten = jobs.forget(settings.keep());
        if (abandoned + forgotten > 0) {
            LOG.info("{} jobs never arrived, {} are forgotten", abandoned, forgotten);
        }
        return Progress.DONE;
    }
}
