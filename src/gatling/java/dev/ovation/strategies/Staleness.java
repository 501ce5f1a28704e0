package dev.ovation.strategies;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/** The age of the counts that readers get: the time since the newest complete refresh began. */
final class Staleness {

    private final Timer age;
    private final Timer refresh;
    private final LongAccumulator oldest = new LongAccumulator(Long::max, 0);
    private volatile long asOf = System.nanoTime();

    Staleness(MeterRegistry registry) {
        age =
                Timer.builder("ovation.view.age")
                        .description("Age of the counts that were served")
                        .publishPercentiles(0.5, 0.95, 0.99)
                        .register(registry);
        refresh =
                Timer.builder("ovation.view.refresh")
                        .description("Refreshes of the materialized view")
                        .register(registry);
    }

    /** Registers a read of the view. */
    void served() {
        long nanos = System.nanoTime() - asOf;
        age.record(nanos, TimeUnit.NANOSECONDS);
        oldest.accumulate(nanos);
    }

    /** Counts a refresh; if it fails, the age of counts continues to grow. */
    void refreshing(Runnable statement) {
        long begin = System.nanoTime();
        refresh.record(statement);
        asOf = begin;
    }

    /** Summary since the start, as JSON; times in seconds. */
    String summary() {
        return String.format(
                Locale.ROOT,
                "{\"mean_age\":%.3f,\"max_age\":%.3f,\"refreshes\":%d,\"mean_refresh\":%.3f}",
                age.mean(TimeUnit.SECONDS),
                oldest.get() / 1e9,
                refresh.count(),
                refresh.mean(TimeUnit.SECONDS));
    }
}
