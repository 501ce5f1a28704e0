package dev.ovation.job;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of jobs.
 *
 * @param maxConcurrent jobs of each {@link JobHandler} that this instance executes at the same time
 * @param lease time without a sign of its holder after which another instance acquires a job
 * @param poll interval in which an idle instance looks for a job
 * @param retention time that ended jobs are kept
 */
record JobSettings(int maxConcurrent, Duration lease, Duration poll, Duration retention) {

    JobSettings(JobOptions bound, JobConstants internal) {
        this(internal.maxConcurrent, internal.lease, internal.poll, bound.retention);
    }

    /**
     * Setting for operators.
     *
     * @param retention Time that ended jobs are kept.
     */
    @ConfigurationProperties("ovation.jobs")
    record JobOptions(@DefaultValue("30d") Duration retention) {

        JobOptions {
            if (!retention.isPositive()) {
                throw new IllegalArgumentException(
                        "ovation.jobs.retention must be above 0, not " + retention);
            }
        }
    }

    /**
     * Constants of the protocol, bound for tests.
     *
     * @param maxConcurrent Jobs of each kind that an instance executes at the same time.
     * @param lease Time without a sign of its holder after which another instance acquires a job.
     * @param poll Interval in which an idle instance looks for a job.
     */
    @ConfigurationProperties("ovation.internal.jobs")
    record JobConstants(
            @DefaultValue("1") int maxConcurrent,
            @DefaultValue("10s") Duration lease,
            @DefaultValue("500ms") Duration poll) {}
}
