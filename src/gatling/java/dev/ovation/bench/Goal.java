package dev.ovation.bench;

import dev.ovation.bench.Statistics.Interval;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A goal of a benchmark: a bound of the median of a measure of a subject, or of its ratio to a
 * control (empty if there is none). For some measures the worst round counts instead of the median.
 */
record Goal(String subject, String measure, String control, boolean atLeast, double number) {

    private static final Set<String> EVERY_ROUND = Set.of("errors", "rate_reached");
    private static final Pattern FORM = Pattern.compile("(.+):([^/]+?)(?:/(.+))?([<>])=([0-9.]+)");

    /** Reads {@code <subject>:<measure>[/<control>]>=<number>}, or the same with {@code <=}. */
    static Goal of(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("not a goal: " + text);
        }
        return new Goal(
                match.group(1),
                match.group(2),
                match.group(3) == null ? "" : match.group(3),
                match.group(4).equals(">"),
                Double.parseDouble(match.group(5)));
    }

    private Collection<Double> rounds(Observations observations) {
        return control.isEmpty()
                ? observations.values(subject, measure)
                : observations.ratios(subject, control, measure);
    }

    /** The decisive value; NaN if nothing was measured. */
    private double value(Observations observations) {
        Collection<Double> rounds = rounds(observations);
        if (!EVERY_ROUND.contains(measure)) {
            return Statistics.median(rounds);
        }
        var sorted = rounds.stream().sorted().toList();
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        return atLeast ? sorted.getFirst() : sorted.getLast();
    }

    private Optional<Interval> interval(Observations observations) {
        return EVERY_ROUND.contains(measure)
                ? Optional.empty()
                : Statistics.medianInterval(rounds(observations));
    }

    boolean isMeasured(Observations observations) {
        return !Double.isNaN(value(observations));
    }

    boolean isReached(Observations observations) {
        double value = value(observations);
        return atLeast ? value >= number : value <= number;
    }

    /**
     * A sentence with the goal, the value, and whether the goal is reached; with six rounds or more
     * also the interval of the median, and whether the noise of the rounds leaves the verdict open.
     */
    String verdict(Observations observations) {
        Optional<Interval> interval = interval(observations);
        return "%s: %s%s is to be at %s %s and is %s%s: **%s**%s"
                .formatted(
                        subject,
                        measure,
                        control.isEmpty() ? "" : " / " + control,
                        atLeast ? "least" : "most",
                        Report.number(number),
                        isMeasured(observations)
                                ? Report.number(value(observations))
                                : "not measured",
                        interval.map(Goal::words).orElse(""),
                        isReached(observations) ? "reached" : "missed",
                        interval.filter(all -> all.contains(number)).isPresent()
                                ? ", within the noise"
                                : "");
    }

    private static String words(Interval interval) {
        return " (95 %%: %s to %s)"
                .formatted(Report.number(interval.from()), Report.number(interval.to()));
    }
}
