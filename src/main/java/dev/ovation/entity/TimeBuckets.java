package dev.ovation.entity;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Upper bounds of the buckets of histograms. Few, because each bucket is a time series. */
public final class TimeBuckets {

    /** Times of reads and writes of reactions. */
    public static final List<Duration> REQUESTS = millis(5, 10, 25, 50, 100, 250, 500, 1000, 2500);

    /** Times of all other requests, which have many routes. */
    public static final List<Duration> OTHER_REQUESTS = millis(25, 250, 2500);

    /** Times of single calls of Redis or Postgres, and of what consists of few of them. */
    public static final List<Duration> CALLS = millis(1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000);

    private TimeBuckets() {}

    private static List<Duration> millis(Integer... bounds) {
        return Stream.of(bounds).map(Duration::ofMillis).toList();
    }

    /** Returns bounds in the form that filters of meters take. */
    public static double[] nanos(List<Duration> bounds) {
        return bounds.stream().mapToDouble(Duration::toNanos).toArray();
    }

    /** Returns bounds in the form that meters take. */
    public static Duration[] of(List<Duration> bounds) {
        return bounds.toArray(Duration[]::new);
    }
}
