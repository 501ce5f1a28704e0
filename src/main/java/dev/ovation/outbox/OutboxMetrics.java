package dev.ovation.outbox;

import dev.ovation.entity.Micros;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import java.util.concurrent.TimeUnit;

/** The metrics of the relay and of recovery. */
final class OutboxMetrics {

    private final MeterRegistry registry;
    private final Timer commitLag;
    private final Timer batchDuration;
    private final DistributionSummary batchSize;
    private volatile long outboxLength;
    private volatile long oldestUnappliedMicros;

    OutboxMetrics(MeterRegistry registry) {
        this.registry = registry;
        commitLag =
                Timer.builder("ovation.commit.lag")
                        .description("Time from proposing a change in Redis to its commit")
                        .publishPercentileHistogram()
                        .register(registry);
        batchDuration =
                Timer.builder("ovation.relay.batch.duration")
                        .description("Time of a relay transaction that applied events")
                        .register(registry);
        batchSize =
                DistributionSummary.builder("ovation.relay.batch.size")
                        .description("Events in a relay transaction that applied any")
                        .baseUnit("events")
                        .register(registry);
        Gauge.builder("ovation.outbox.length", () -> outboxLength)
                .description("Events that are proposed and not yet committed and acknowledged")
                .baseUnit("events")
                .register(registry);
        TimeGauge.builder(
                        "ovation.outbox.oldest", () -> oldestUnappliedMicros, TimeUnit.MICROSECONDS)
                .description("Age of the oldest event that was not yet committed when last seen")
                .register(registry);
        for (String kind : new String[] {"attached", "taken"}) {
            recoveries(kind);
        }
        for (String reason : new String[] {"conflict", "duplicate", "malformed", "poison"}) {
            rejections(reason);
        }
        failures();
    }

    void watch(PostgresWatch postgres) {
        Gauge.builder("ovation.postgres.up", postgres, w -> w.downSince().isEmpty() ? 1 : 0)
                .description("1 while Postgres answers")
                .register(registry);
    }

    void outboxLength(long events) {
        outboxLength = events;
    }

    /**
     * Takes in the time of the oldest event that is not applied, in microseconds since 1970; of the
     * future when there is none.
     */
    void oldestUnapplied(long at) {
        long now = Micros.now();
        oldestUnappliedMicros = Math.max(0, now - at);
    }

    void batch(int events, long nanos) {
        batchSize.record(events);
        batchDuration.record(nanos, TimeUnit.NANOSECONDS);
    }

    void committed(long lagMicros) {
        commitLag.record(Math.max(0, lagMicros), TimeUnit.MICROSECONDS);
    }

    void rejected(String reason) {
        rejections(reason).increment();
    }

    void recovered(String kind, int partitions) {
        recoveries(kind).increment(partitions);
    }

    void failed() {
        failures().increment();
    }

    private Counter rejections(String reason) {
        return Counter.builder("ovation.events.rejected")
                .description("Outbox events that were not applied, by reason")
                .tag("reason", reason)
                .register(registry);
    }

    private Counter recoveries(String kind) {
        return Counter.builder("ovation.partition.recoveries")
                .description("Partitions attached to as they were, or taken with a new epoch")
                .tag("kind", kind)
                .register(registry);
    }

    private Counter failures() {
        return Counter.builder("ovation.relay.failures")
                .description("Relay passes that failed")
                .register(registry);
    }
}
