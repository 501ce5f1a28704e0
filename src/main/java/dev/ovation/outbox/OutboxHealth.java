package dev.ovation.outbox;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.recovery.Recovery;
import dev.ovation.outbox.relay.OutboxSettings;
import dev.ovation.outbox.relay.Relay;
import dev.ovation.outbox.relay.RelayCycle;
import dev.ovation.outbox.watermark.Watermarks;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reports the failed parts and the start of their outage. */
@Configuration(proxyBeanMethods = false)
class OutboxHealth {

    @Bean("redisHealthIndicator")
    HealthIndicator redis(RedisServers servers) {
        return () -> servers.isCluster() ? nodes(servers.all()) : health(servers.all().getFirst());
    }

    private static Health health(RedisLink link) {
        return link.incarnation()
                .map(id -> Health.up().withDetail("incarnation", id).build())
                .orElseGet(() -> down(link.downSince(), link.downBecause()));
    }

    /**
     * Up while all nodes are; one that is down stops its own partitions. Each node has a detail:
     * its incarnation, or since when and why it is down.
     */
    private static Health nodes(List<RedisLink> nodes) {
        boolean up = !nodes.isEmpty() && nodes.stream().allMatch(RedisLink::isUp);
        var health = up ? Health.up() : Health.down();
        for (RedisLink node : nodes) {
            health.withDetail(
                    node.name(),
                    node.incarnation()
                            .orElseGet(
                                    () ->
                                            "down since %s: %s"
                                                    .formatted(
                                                            node.downSince(),
                                                            node.downBecause().orElse("unknown"))));
        }
        return health.build();
    }

    @Bean("postgresHealthIndicator")
    HealthIndicator postgres(PostgresWatch watch) {
        return () ->
                watch.downSince()
                        .map(since -> down(since, watch.downBecause()))
                        .orElseGet(() -> Health.up().build());
    }

    private static Health down(Instant since, Optional<String> reason) {
        var health = Health.down().withDetail("since", since.toString());
        reason.ifPresent(text -> health.withDetail("reason", text));
        return health.build();
    }

    /**
     * Whether writes succeed: partitions attached, schema versions of events known, relay running.
     */
    @Bean("relayHealthIndicator")
    HealthIndicator relay(
            Relay relay,
            RelayCycle cycle,
            Recovery recovery,
            Fences fences,
            Watermarks watermarks,
            OutboxSettings settings) {
        return () -> {
            boolean stuck =
                    relay.isFailing()
                            || watermarks.oldestWait().compareTo(settings.stuckAfter()) > 0;
            boolean whole =
                    fences.attached() == fences.partitions().count()
                            && cycle.stopped().isEmpty()
                            && relay.failing().isEmpty();
            var health = stuck || !whole ? Health.down() : Health.up();
            health.withDetail("attached_partitions", fences.attached())
                    .withDetail("partitions", fences.partitions().count())
                    .withDetail("stuck", stuck)
                    .withDetail("oldest_wait_ms", watermarks.oldestWait().toMillis());
            if (!cycle.stopped().isEmpty()) {
                health.withDetail("stopped_at_unknown_events", cycle.stopped());
            }
            if (!relay.failing().isEmpty()) {
                health.withDetail("failing_partitions", relay.failing());
            }
            if (!recovery.contested().isEmpty()) {
                health.withDetail("claimed_by_two_servers", recovery.contested());
            }
            recovery.failedBecause().ifPresent(text -> health.withDetail("reason", text));
            return health.build();
        };
    }

    /** Up while at least reads can be answered. */
    @Bean("readsHealthIndicator")
    HealthIndicator reads(Fences fences, RedisServers servers, PostgresWatch watch) {
        return () ->
                (servers.isUp() && fences.attached() > 0) || watch.downSince().isEmpty()
                        ? Health.up().build()
                        : Health.down().build();
    }
}
