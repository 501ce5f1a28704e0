package dev.ovation.job;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of jobs.
 *
 * @param running jobs of each {@link JobHandler} that this instance carries on at the same time; 0:
 *     it leaves them to others
 * @param lease how long after the last sign of its holder another takes up a job
 * @param poll how often an idle instance looks for one
 * @param abandon how long after it broke off an arrival may still go on
 * @param keep how long jobs that came to their end can be looked up
 */
@ConfigurationProperties("ovation.jobs")
record JobSettings(
        @DefaultValue("1") int running,
        @DefaultValue("10s") Duration lease,
        @DefaultValue("500ms") Duration poll,
        @DefaultValue("24h") Duration abandon,
        @DefaultValue("30d") Duration keep) {}
