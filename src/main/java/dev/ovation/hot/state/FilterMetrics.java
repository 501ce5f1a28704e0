package dev.ovation.hot.state;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The metrics of the filters of high-cardinality entities. */
public final class FilterMetrics {

    private final Counter avoided;
    private final Map<FilterResult, Counter> results = new EnumMap<>(FilterResult.class);

    public FilterMetrics(MeterRegistry registry) {
        avoided =
                Counter.builder("ovation.hot.filter.avoided")
                        .description("Look-ups of users that a filter made unnecessary")
                        .register(registry);
        for (FilterResult result : FilterResult.values()) {
            results.put(
                    result,
                    Counter.builder("ovation.hot.filters")
                            .description("Filters of high-cardinality entities by result")
                            .tag("result", result.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    /** Result of building one filter. */
    public enum FilterResult {
        /** Complete at once: Redis had all users when the entity turned partial. */
        GROWN,
        /** Complete, from the rows of Postgres. */
        FILLED,
        /** Removed with its entity, or replaced, while it was filled. */
        LOST,
        /** Not begun or given up, because the entity has too many reactions. */
        LARGE,
        /** Given up, because Redis, Postgres or the relay did not answer in time. */
        FAILED
    }

    /** A filter answered that a user has no reaction. */
    public void avoided() {
        avoided.increment();
    }

    public void result(FilterResult result) {
        Objects.requireNonNull(results.get(result)).increment();
    }
}
