package dev.ovation.hot.state;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the hot state.
 *
 * @param ttl how long a clean entity stays in Redis after its last change or load
 * @param absentTtl the same for an entity that never had a change; it bounds the time that requests
 *     for invented ids occupy Redis
 * @param lease time after which another loader may load the same entity
 * @param inFlightTtl how long a second request with the same idempotency key is answered as in
 *     flight
 * @param completeLimit user reactions above which an entity is loaded partially
 * @param partialLimit fields above which a partial user hash loses users
 * @param outboxCap events of one partition that may wait for their commit
 * @param commandTimeout how long a Redis command may take
 * @param leaseWait how long a read waits for another loader of the entity, before it queries
 *     Postgres
 */
public record HotSettings(
        Duration ttl,
        Duration absentTtl,
        Duration lease,
        Duration inFlightTtl,
        int completeLimit,
        int partialLimit,
        int outboxCap,
        Duration commandTimeout,
        Duration leaseWait) {

    /** Default of {@code ovation.internal.hot.lease}. */
    public static final String LEASE = "3s";

    /** Default of {@code ovation.internal.hot.command-timeout}. */
    public static final String COMMAND_TIMEOUT = "1s";

    private static final Duration ABSENT_TTL = Duration.ofSeconds(30);

    public HotSettings(HotOptions bound, HotConstants internal) {
        this(
                bound.ttl,
                ABSENT_TTL,
                internal.lease,
                internal.inFlightTtl,
                internal.completeLimit,
                internal.partialLimit,
                internal.outboxCap,
                internal.commandTimeout,
                internal.leaseWait);
    }

    /**
     * Setting for operators.
     *
     * @param ttl Time that a clean entity stays in Redis after its last change or load.
     */
    @ConfigurationProperties("ovation.hot")
    public record HotOptions(@DefaultValue("1h") Duration ttl) {

        public HotOptions {
            SettingBounds.atLeastOneMilli("ovation.hot.ttl", ttl);
        }
    }

    /**
     * Constants of the protocol, bound for tests.
     *
     * @param lease Time after which another loader may load the same entity.
     * @param inFlightTtl Life of the note that an idempotency key is in flight.
     * @param completeLimit User reactions up to which Redis holds all users of an entity.
     * @param partialLimit Users that a partial hash keeps.
     * @param outboxCap Events of one partition that may wait for their commit.
     * @param commandTimeout Time-out of a Redis command.
     * @param leaseWait Time that a read waits for another loader.
     * @param fillFilters Whether filters are filled from Postgres.
     */
    @ConfigurationProperties("ovation.internal.hot")
    public record HotConstants(
            @DefaultValue(LEASE) Duration lease,
            @DefaultValue("3s") Duration inFlightTtl,
            @DefaultValue("1024") int completeLimit,
            @DefaultValue("1024") int partialLimit,
            @DefaultValue("20000") int outboxCap,
            @DefaultValue(COMMAND_TIMEOUT) Duration commandTimeout,
            @DefaultValue("50ms") Duration leaseWait,
            @DefaultValue("true") boolean fillFilters) {}
}
