package dev.ovation.simulation;

import dev.ovation.simulation.Measurements.Series;
import dev.ovation.simulation.app.Operation;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The result of a run, as a readable table and as JSON. */
final class Report {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Options options;
    private final String target;
    private final Measurements measurements;
    private final Pace pace;
    private final boolean finished;

    /**
     * @param target the name of the server
     * @param finished whether all users completed their turns
     */
    Report(Options options, String target, Measurements measurements, Pace pace, boolean finished) {
        this.options = options;
        this.target = target;
        this.measurements = measurements;
        this.pace = pace;
        this.finished = finished;
    }

    /**
     * Verdict on the run: {@code wrong} (an answer was incorrect), {@code behind} (users were too
     * late, regardless of other failures), {@code failed} (answers were errors or missing) or
     * {@code right}.
     */
    private String verdict() {
        if (measurements.wrong() > 0) {
            return "wrong";
        }
        if (pace.behind() || !finished) {
            return "behind";
        }
        return measurements.errors() > 0 ? "failed" : "right";
    }

    String table() {
        var config = options.config();
        var table =
                new StringBuilder(
                        line(
                                "%n%s: %d users, %d turns of %d ms, on %s%n%n",
                                config.name(),
                                config.users().count(),
                                config.turns().count(),
                                config.turns().minDuration().toMillis(),
                                target));
        String heads = "%-8s %9s %9s %9s %9s %9s %9s %7s%n";
        table.append(
                line(
                        heads,
                        "",
                        "requests",
                        "per s",
                        "p50 ms",
                        "p95 ms",
                        "p99 ms",
                        "max ms",
                        "errors"));
        measurements.series().forEach((operation, series) -> table.append(row(operation, series)));
        table.append(line("%nrefused by the rules: %s%n", measurements.refusals()));
        table.append(line("failed in the warm-up: %d%n", measurements.failedInWarmUp()));
        measurements.firstErrors().forEach(error -> table.append(line("error: %s%n", error)));
        table.append(line("latest user: %d turns late%nverdict: %s%n", pace.lag(), verdict()));
        return table.toString();
    }

    private String row(Operation operation, Series series) {
        return line(
                "%-8s %9d %9.1f %9.2f %9.2f %9.2f %9.2f %7d%n",
                operation,
                series.count(),
                rate(series.count()),
                series.millis(50),
                series.millis(95),
                series.millis(99),
                series.maxMillis(),
                series.errors());
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private double rate(long count) {
        return measurements.seconds() == 0 ? 0 : count / measurements.seconds();
    }

    /** The result as JSON; times in milliseconds, rates per second. */
    String json() {
        var config = options.config();
        var operations = new LinkedHashMap<String, Object>();
        measurements
                .series()
                .forEach((operation, series) -> operations.put(operation.name(), member(series)));
        var root = new LinkedHashMap<String, Object>();
        root.put("simulation", config.name());
        root.put("target", target);
        root.put("seed", config.seed());
        root.put("users", config.users().count());
        root.put("turns", config.turns().count());
        root.put("turn_ms", config.turns().minDuration().toMillis());
        root.put("warmup_turns", options.warmUp());
        root.put("reads", options.screens() ? "screen" : "entity");
        root.put("keepalive", options.keepAlive());
        root.put("max_lag", options.maxLag());
        root.put("verdict", verdict());
        root.put("lag_turns", pace.lag());
        root.put("seconds", measurements.seconds());
        root.put("errors", measurements.errors());
        root.put("failed_in_warmup", measurements.failedInWarmUp());
        root.put("first_errors", measurements.firstErrors());
        root.put("refusals", measurements.refusals());
        root.put("operations", operations);
        return JSON.writeValueAsString(root);
    }

    private Map<String, Object> member(Series series) {
        var member = new LinkedHashMap<String, Object>();
        member.put("requests", series.count());
        member.put("rate", rate(series.count()));
        member.put("p50_ms", series.millis(50));
        member.put("p95_ms", series.millis(95));
        member.put("p99_ms", series.millis(99));
        member.put("max_ms", series.maxMillis());
        member.put("errors", series.errors());
        return member;
    }
}
