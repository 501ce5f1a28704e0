package dev.ovation.job;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** Fails jobs that stay suspended for too long and deletes old finished jobs. */
class JobPurge implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(JobPurge.class);

    private final Jobs jobs;
    private final JobSettings settings;

    JobPurge(Jobs jobs, JobSettings settings) {
        this.jobs = jobs;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "old-jobs";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(5);
    }

    @Override
    public StepResult step(Turn turn) {
        int abandoned = jobs.expireSuspended(settings.abandon());
        int forgotten = jobs.purge(settings.keep());
        if (abandoned + forgotten > 0) {
            LOG.info("Expired {} incomplete uploads, purged {} old jobs", abandoned, forgotten);
        }
        return StepResult.DONE;
    }
}
