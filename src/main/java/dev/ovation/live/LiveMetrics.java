package dev.ovation.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of streams. */
final class LiveMetrics {

    private final Counter refused;

    LiveMetrics(MeterRegistry registry, Watchers watchers, WatchedEntities entities) {
        Gauge.builder("ovation.live.watchers", watchers, Watchers::size)
                .description("Open streams")
                .register(registry);
        Gauge.builder("ovation.live.entities", entities, WatchedEntities::size)
                .description("Entities that open streams watch")
                .register(registry);
        refused =
                Counter.builder("ovation.live.refused")
                        .description("Streams refused because the instance has its most")
                        .register(registry);
    }

    void refused() {
        refused.increment();
    }
}
