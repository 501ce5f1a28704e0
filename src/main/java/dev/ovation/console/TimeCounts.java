package dev.ovation.console;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The sum of histograms of times, which count since the start. */
final class TimeCounts {

    /** Counts of times up to a bound in seconds, which includes those up to lower bounds. */
    private final NavigableMap<Double, Double> upTo = new TreeMap<>();

    private double count;

    /** Adds a timer, whose buckets must be those of the others. */
    void add(Timer timer) {
        HistogramSnapshot snapshot = timer.takeSnapshot();
        for (CountAtBucket each : snapshot.histogramCounts()) {
            upTo.merge(each.bucket(TimeUnit.SECONDS), each.count(), Double::sum);
        }
        count += snapshot.count();
    }

    /** Returns the number of times since an earlier reading. */
    double countSince(TimeCounts before) {
        return Math.max(count - before.count, 0);
    }

    /**
     * Estimates a quantile of the times since an earlier reading, as {@code histogram_quantile} of
     * Prometheus does: times are spread evenly within a bucket, and those above the last bound
     * count as that bound.
     *
     * @param quantile above 0, at most 1
     * @return seconds; null if there were none
     */
    @Nullable Double quantileSince(TimeCounts before, double quantile) {
        double rank = quantile * countSince(before);
        if (rank == 0 || upTo.isEmpty()) {
            return null;
        }
        double lower = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : upTo.entrySet()) {
            double bound = bucket.getKey();
            double counted = bucket.getValue() - before.upTo.getOrDefault(bound, 0.0);
            if (counted >= rank) {
                return lower + (bound - lower) * (rank - below) / (counted - below);
            }
            lower = bound;
            below = counted;
        }
        return lower;
    }
}
