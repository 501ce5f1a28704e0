package dev.ovation.limit;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;

/**
 * Counts requests that a limit refuses in {@code ovation.requests.limited}. Label {@code principal}
 * is the id of a key, {@code user} or {@code anonymous}: as many values as there are keys.
 */
final class Refusals {

    private final MeterProvider<Counter> counters;

    /**
     * Counts in this registry, in which policies of callers without a key are shown from now on.
     */
    Refusals(MeterRegistry registry) {
        counters =
                Counter.builder("ovation.requests.limited")
                        .description("Requests refused by a limit of their caller")
                        .withRegistry(registry);
        var _ = counter(Policy.USER_READS.label(), "user");
        var _ = counter(Policy.USER_WRITES.label(), "user");
        var _ = counter(Policy.ADDRESS.label(), "anonymous");
    }

    /**
     * Counts and returns a refusal.
     *
     * @param bound the limit in words, which continues "policy `…` allows"
     */
    ProblemException refuse(String policy, String bound, Principal who, Duration retryAfter) {
        counter(policy, who.getName()).increment();
        return Problems.rateLimited(
                policy, "policy `%s` allows %s".formatted(policy, bound), retryAfter);
    }

    private Counter counter(String policy, String principal) {
        return counters.withTags("policy", policy, "principal", principal);
    }
}
