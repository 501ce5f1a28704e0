package dev.ovation.bench;

import java.util.Collection;
import java.util.Optional;

/** Medians with their intervals, means and deviations. */
final class Statistics {

    private static final double CONFIDENCE = 0.95;

    /** All numbers from the first to the last. */
    record Interval(double from, double to) {

        boolean contains(double number) {
            return from <= number && number <= to;
        }
    }

    private Statistics() {}

    /** The middle value, or the mean of the two in the middle; NaN for none. */
    static double median(Collection<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * An interval that holds the median with a probability of at least 95 %, whatever the
     * distribution: from the k-th least to the k-th greatest value, with the largest such k.
     *
     * @return its two ends; empty for fewer than 6 values, for which no such interval exists
     */
    static Optional<Interval> medianInterval(Collection<Double> values) {
        var sorted = values.stream().sorted().toList();
        int size = sorted.size();
        double outside = 0;
        double equal = Math.pow(0.5, size); // that k - 1 values are below the median, with k = 1
        int k = 0;
        while (2 * (outside + equal) <= 1 - CONFIDENCE) {
            outside += equal;
            k++;
            equal = equal * (size - k + 1) / k;
        }
        return k == 0
                ? Optional.empty()
                : Optional.of(new Interval(sorted.get(k - 1), sorted.get(size - k)));
    }

    static double mean(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /** The coefficient of variation: standard deviation (of a population) by mean. */
    static double variation(Collection<Double> values) {
        double mean = mean(values);
        double variance =
                values.stream()
                        .mapToDouble(value -> (value - mean) * (value - mean))
                        .average()
                        .orElse(Double.NaN);
        return Math.sqrt(variance) / mean;
    }
}
