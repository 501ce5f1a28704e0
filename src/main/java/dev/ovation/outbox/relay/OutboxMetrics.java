package dev.ovation.outbox.relay;

import dev.ovation.entity.Micros;
import dev.ovation.entity.TimeBuckets;
import dev.ovation.store.RelayFunction.CallResult;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The metrics of the relay and of recovery. */
public final class OutboxMetrics {

    private final MeterRegistry registry;
    private final Timer commitLag;
    private final Timer batchDuration;
    private final DistributionSummary batchSize;
    private volatile long outboxLength;
    private volatile long oldestUnapplied = Long.MAX_VALUE;

    public OutboxMetrics(MeterRegistry registry) {
        this.registry = registry;
        commitLag =
                Timer.builder("ovation.commit.lag")
                        .description("Time from proposing a change in Redis to its commit")
                        .serviceLevelObjectives(TimeBuckets.of(TimeBuckets.CALLS))
                        .register(registry);
        batchDuration =
                Timer.builder("ovation.relay.batch.duration")
                        .description("Time of a relay transaction that applied events")
                        .serviceLevelObjectives(TimeBuckets.of(TimeBuckets.CALLS))
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
                        "ovation.outbox.oldest",
                        () -> Math.max(0, Micros.now() - oldestUnapplied),
                        TimeUnit.MICROSECONDS)
                .description("Age of the oldest event that was not yet committed when last seen")
                .register(registry);
        for (String kind : new String[] {"attached", "taken"}) {
            recoveries(kind);
        }
        for (String reason : new String[] {"conflict", "duplicate", "malformed", "poison"}) {
            rejections(reason);
        }
        for (CallResult result : CallResult.values()) {
            calls(result);
        }
        failures();
    }

    /** Registers whether Postgres answers. */
    public void postgresUp(BooleanSupplier up) {
        Gauge.builder("ovation.postgres.up", () -> up.getAsBoolean() ? 1 : 0)
                .description("1 while Postgres answers")
                .register(registry);
    }

    public void outboxLength(long events) {
        outboxLength = events;
    }

    /**
     * Records the time of the oldest event that is not applied, in microseconds since 1970; a time
     * in the future when there is none. Until the next call the event counts as not applied, so
     * that its age grows while Redis does not answer.
     */
    public void oldestUnapplied(long at) {
        oldestUnapplied = at;
    }

    public void batch(int events, long nanos) {
        batchSize.record(events);
        batchDuration.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a relay transaction with events by the result of its one call. */
    void called(CallResult result) {
        calls(result).increment();
    }

    public void committed(long lagMicros) {
        commitLag.record(Math.max(0, lagMicros), TimeUnit.MICROSECONDS);
    }

    public void rejected(String reason) {
        rejections(reason).increment();
    }

    public void recovered(String kind, int partitions) {
        recoveries(kind).increment(partitions);
    }

    public void failed() {
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

    private Counter calls(CallResult result) {
        return Counter.builder("ovation.relay.calls")
                .description("Relay transactions tried as one call, by result")
                .tag("result", result.label())
                .register(registry);
    }

    private Counter failures() {
        return Counter.builder("ovation.relay.failures")
                .description("Relay cycles that failed")
                .register(registry);
    }
}
