package dev.ovation.bench;

import java.util.regex.Pattern;

/**
 * What a benchmark is to reach: the median of a measure of a subject, or of its ratio to a control
 * (empty if there is none), at least or at most a number.
 */
record Goal(String subject, String measure, String control, boolean atLeast, double number) {

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

    boolean isReached(double value) {
        return atLeast ? value >= number : value <= number;
    }

    /** A sentence: what is wanted, what is, and whether that is enough. */
    String verdict(Observations observations) {
        double value =
                Statistics.median(
                        control.isEmpty()
                                ? observations.values(subject, measure)
                                : observations.ratios(subject, control, measure));
        return "%s: %s%s is to be at %s %s and is %s: **%s**"
                .formatted(
                        subject,
                        measure,
                        control.isEmpty() ? "" : " / " + control,
                        atLeast ? "least" : "most",
                        Report.number(number),
                        Double.isNaN(value) ? "not measured" : Report.number(value),
                        isReached(value) ? "reached" : "missed");
    }
}
