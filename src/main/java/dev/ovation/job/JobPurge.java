package dev.ovation.job;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** Fails jobs that stay suspended for too long and deletes old finished jobs. */
class JobPurge implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(JobPurge.class);

    /** Time after which an interrupted upload cannot be resumed. */
    private static final Duration UPLOAD_EXPIRY = Duration.ofHours(24);

    private final JobTable jobs;
    private final JobSettings settings;

    JobPurge(JobTable jobs, JobSettings settings) {
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
        int abandoned = jobs.expireSuspended(UPLOAD_EXPIRY);
        int forgotten = jobs.purge(settings.retention());
        if (abandoned + forgotten > 0) {
            LOG.info("Expired {} incomplete uploads, purged {} old jobs", abandoned, forgotten);
        }
        return StepResult.DONE;
    }
}
