package dev.ovation.simulation;

import dev.ovation.simulation.app.Call;
import dev.ovation.simulation.app.Operation;
import dev.ovation.simulation.app.Verdict;

import org.HdrHistogram.Histogram;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Outcomes of all requests. */
final class Measurements {

    private static final int SHOWN = 10;
    private static final long LONGEST_MICROS = 120_000_000;

    private final Map<Operation, Series> series = new EnumMap<>(Operation.class);
    private final Map<String, Integer> refusals = new TreeMap<>();
    private final Set<String> firstErrors = new TreeSet<>();
    private int wrong;
    private int failedInWarmUp;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /**
     * Results of one operation: times of successful requests in microseconds, and the number of
     * errors.
     */
    static final class Series {
        private final Histogram times = new Histogram(LONGEST_MICROS, 3);
        private int errors;

        long count() {
            return times.getTotalCount();
        }

        int errors() {
            return errors;
        }

        /** The time within which this share of the requests was answered. */
        double millis(double percentile) {
            return times.getValueAtPercentile(percentile) / 1e3;
        }

        double maxMillis() {
            return times.getMaxValue() / 1e3;
        }
    }

    /**
     * Records a request that has ended.
     *
     * @param measured whether its time, its refusal and its failure count; a wrong answer always
     *     does
     */
    synchronized void record(Call call, boolean measured) {
        var series = this.series.computeIfAbsent(call.operation(), _ -> new Series());
        if (call.verdict().kind() == Verdict.Kind.FAILED && !measured) {
            failedInWarmUp++;
        } else if (call.verdict().isError()) {
            series.errors++;
            wrong += call.verdict().kind() == Verdict.Kind.WRONG ? 1 : 0;
            if (firstErrors.size() < SHOWN) {
                firstErrors.add(call.operation() + ": " + call.verdict().detail());
            }
        } else if (measured) {
            long now = System.nanoTime();
            first = Math.min(first, now - call.nanos());
            last = Math.max(last, now);
            switch (call.verdict().kind()) {
                case REFUSED -> refusals.merge(call.verdict().detail(), 1, Integer::sum);
                default -> series.times.recordValue(Math.min(call.nanos() / 1000, LONGEST_MICROS));
            }
        }
    }

    Map<Operation, Series> series() {
        return series;
    }

    /** Number of refusals by the rules, by code. */
    Map<String, Integer> refusals() {
        return refusals;
    }

    /** Some of the errors. */
    Set<String> firstErrors() {
        return firstErrors;
    }

    synchronized int errors() {
        return series.values().stream().mapToInt(Series::errors).sum();
    }

    /** Number of errors that were wrong answers. */
    int wrong() {
        return wrong;
    }

    /**
     * Number of failures in the warm-up: a service that has just started refuses some concurrent
     * requests.
     */
    int failedInWarmUp() {
        return failedInWarmUp;
    }

    /** From the first measured request to the end of the last. */
    double seconds() {
        return last > first ? (last - first) / 1e9 : 0;
    }
}
