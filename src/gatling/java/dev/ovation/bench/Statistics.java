package dev.ovation.bench;

import java.util.Collection;

/** Medians, means and deviations. */
final class Statistics {

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
