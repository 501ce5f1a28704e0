package dev.ovation.outbox.relay;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the relay.
 *
 * @param threads relay threads of this instance
 * @param batch greatest number of events in one transaction
 * @param stuckAfter age of the oldest waiting request at which new writes are refused
 * @param oneCall whether a transaction is one call if possible
 * @param answerRetention how long answers to idempotency keys are kept
 * @param removalRetention how long the times are kept at which users took reactions back
 */
public record OutboxSettings(
        int threads,
        int batch,
        Duration stuckAfter,
        boolean oneCall,
        Duration answerRetention,
        Duration removalRetention) {

    public OutboxSettings(OutboxOptions bound, OutboxConstants internal) {
        this(
                internal.threads,
                internal.batch,
                internal.stuckAfter,
                internal.oneCall,
                bound.answerRetention,
                bound.removalRetention);
    }

    /**
     * Settings for operators.
     *
     * @param answerRetention Time that answers to idempotency keys are kept.
     * @param removalRetention Time during which an import brings nothing back that a user took
     *     back.
     */
    @ConfigurationProperties("ovation.relay")
    public record OutboxOptions(
            @DefaultValue("24h") Duration answerRetention,
            @DefaultValue("30d") Duration removalRetention) {

        public OutboxOptions {
            SettingBounds.atLeastOneMilli("ovation.relay.answer-retention", answerRetention);
            SettingBounds.atLeastOneMilli("ovation.relay.removal-retention", removalRetention);
        }
    }

    /**
     * Constants of the protocol, bound for tests.
     *
     * @param threads Relay threads of an instance; the second one overtakes a cycle that hangs.
     * @param batch Greatest number of events in one transaction.
     * @param stuckAfter Age of the oldest waiting request at which new writes are refused.
     * @param oneCall Whether a transaction is one call if all is as expected; otherwise each has
     *     several statements.
     */
    @ConfigurationProperties("ovation.internal.relay")
    public record OutboxConstants(
            @DefaultValue("2") int threads,
            @DefaultValue("2000") int batch,
            @DefaultValue("1s") Duration stuckAfter,
            @DefaultValue("true") boolean oneCall) {}
}
