package dev.ovation.reaction;

import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.web.problem.ProblemException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Counts writes by namespace and outcome: metric {@code ovation.writes}. A namespace that is not
 * configured counts as {@code other}.
 */
final class WriteCounters {

    private static final String UNKNOWN = "unknown";

    private final MeterRegistry registry;
    private final Predicate<String> known;
    private final Map<WriteKey, Counter> counters = new ConcurrentHashMap<>();

    WriteCounters(MeterRegistry registry, Predicate<String> known) {
        this.registry = registry;
        this.known = known;
    }

    private record WriteKey(String namespace, String outcome) {}

    void count(String namespace, WriteOutcome outcome) {
        switch (outcome) {
            case WriteOutcome.Completed done -> count(namespace, done.label());
            case WriteOutcome.Problematic refused -> countFailure(namespace, refused.problem());
        }
    }

    /** Counts a write that ended with an exception. */
    void countFailure(String namespace, RuntimeException failure) {
        count(
                namespace,
                failure instanceof ProblemException problem
                        ? problem.outcome().name().toLowerCase(Locale.ROOT)
                        : UNKNOWN);
    }

    private void count(String namespace, String outcome) {
        var key = new WriteKey(known.test(namespace) ? namespace : "other", outcome);
        Counter counter = counters.get(key);
        if (counter == null) {
            counter = counters.computeIfAbsent(key, this::register);
        }
        counter.increment();
    }

    private Counter register(WriteKey key) {
        return Counter.builder("ovation.writes")
                .description("Writes, single operations of batches included, by outcome")
                .tag("namespace", key.namespace())
                .tag("outcome", key.outcome())
                .register(registry);
    }
}
