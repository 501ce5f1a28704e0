package dev.ovation.store.replica;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The metrics of reads that a replica may answer. */
final class ReplicaMetrics {

    private static final double NANOS = 1e9;

    private final MeterRegistry registry;
    private final Map<ReadKind, Counter> replica = new EnumMap<>(ReadKind.class);

    /**
     * Registers the metrics.
     *
     * @param replica null without a replica; then ages are not a number, and no read is counted
     */
    ReplicaMetrics(@Nullable Replica replica, MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder(
                        "ovation.replica.staleness",
                        () -> replica == null ? Double.NaN : replica.staleness() / NANOS)
                .description("Greatest age of what a read from the replica shows now")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder(
                        "ovation.replica.staleness.limit",
                        () ->
                                replica == null
                                        ? Double.NaN
                                        : replica.maxStaleness().toNanos() / NANOS)
                .description("Age beyond which the primary is read")
                .baseUnit("seconds")
                .register(registry);
        for (ReadKind kind : ReadKind.values()) {
            this.replica.put(kind, counter(kind, "replica", "none"));
        }
    }

    private Counter counter(ReadKind kind, String source, String cause) {
        return Counter.builder("ovation.replica.reads")
                .description("Reads that the replica may answer, by the server that answered")
                .tag("kind", kind.label())
                .tag("source", source)
                .tag("cause", cause)
                .register(registry);
    }

    /**
     * Counts a read.
     *
     * @param cause why the primary answers; null when the replica does
     */
    void count(ReadKind kind, @Nullable ReadCause cause) {
        Counter counter =
                cause == null ? replica.get(kind) : counter(kind, "primary", cause.label());
        Objects.requireNonNull(counter).increment();
    }
}
