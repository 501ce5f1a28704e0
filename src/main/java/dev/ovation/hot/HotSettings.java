package dev.ovation.hot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the hot state.
 *
 * @param ttl how long a clean entity stays in Redis after its last change or load
 * @param absentTtl the same for an entity that nobody ever touched: requests for invented ids fill
 *     Redis for no longer than this
 * @param lease how long a loader may take before another may load the same entity
 * @param inHand how long a second request with the same idempotency key is told to wait
 * @param crowd user reactions above which an entity is loaded partially
 * @param partialBound fields above which a partial user hash loses users
 * @param outboxCap events of one partition that may wait for their commit
 * @param commandTimeout how long a Redis command may take
 * @param queue commands that may wait for Redis, on each connection
 * @param readPatience how long a read waits for another who loads the entity, before it asks
 *     Postgres
 */
@ConfigurationProperties("ovation.hot")
public record HotSettings(
        @DefaultValue("1h") Duration ttl,
        @DefaultValue("30s") Duration absentTtl,
        @DefaultValue("3s") Duration lease,
        @DefaultValue("3s") Duration inHand,
        @DefaultValue("1024") int crowd,
        @DefaultValue("1024") int partialBound,
        @DefaultValue("20000") int outboxCap,
        @DefaultValue("1s") Duration commandTimeout,
        @DefaultValue("20000") int queue,
        @DefaultValue("50ms") Duration readPatience) {}
