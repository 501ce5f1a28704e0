package dev.ovation.console;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Keeps the samples of the last hour in the memory of this instance: 360, less than 100 KB. */
@Component
class SeriesRecorder {

    /** An hour of samples, one each 10 s. */
    static final int MOST = 360;

    private static final String INTERVAL = "${ovation.internal.console.interval:10s}";

    private final MeterRegistry registry;
    private final Duration interval;
    private final Deque<SeriesSample> samples = new ArrayDeque<>(MOST);
    private @Nullable MeterReading last;

    SeriesRecorder(MeterRegistry registry, @Value(INTERVAL) Duration interval) {
        this.registry = registry;
        this.interval = interval;
    }

    /** Returns the time between two samples. */
    Duration interval() {
        return interval;
    }

    /** Returns the samples, oldest first; none before the second reading. */
    synchronized List<SeriesSample> samples() {
        return List.copyOf(samples);
    }

    @Scheduled(fixedDelayString = INTERVAL)
    void read() {
        read(Instant.now(), System.nanoTime());
    }

    /**
     * Reads the meters.
     *
     * @param at time of the sample
     * @param nanos the same time on a clock that only grows, in nanoseconds
     */
    synchronized void read(Instant at, long nanos) {
        MeterReading now = MeterReading.of(registry, nanos);
        if (last != null) {
            if (samples.size() == MOST) {
                samples.removeFirst();
            }
            samples.addLast(now.since(last, at));
        }
        last = now;
    }
}
