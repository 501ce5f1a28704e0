package dev.ovation.outbox;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the relay.
 *
 * @param threads relay threads of this instance
 * @param batch events in one transaction at most
 * @param alone how long a thread with a pass under way is not overtaken by the next, so that what
 *     comes meanwhile makes one larger batch
 * @param patience how long a waiting request goes without news before its partition is looked at
 *     again
 * @param sweep how often all outboxes are looked at
 * @param stuckAfter age of the oldest waiting request at which new writes are refused
 * @param probe how often a stuck relay tries again
 * @param stop how long the relay may take to finish at shutdown
 * @param keepAnswers how long answers to idempotency keys are kept
 */
@ConfigurationProperties("ovation.relay")
public record OutboxSettings(
        @DefaultValue("2") int threads,
        @DefaultValue("2000") int batch,
        @DefaultValue("20ms") Duration alone,
        @DefaultValue("5ms") Duration patience,
        @DefaultValue("250ms") Duration sweep,
        @DefaultValue("1s") Duration stuckAfter,
        @DefaultValue("500ms") Duration probe,
        @DefaultValue("10s") Duration stop,
        @DefaultValue("24h") Duration keepAnswers) {}
