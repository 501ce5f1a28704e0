package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Pattern;

/** One run of the nemesis over a load; at the end the histories must explain all stored data. */
final class Run {

    private static final Duration LONG = Duration.ofMinutes(30);

    private final long seed;
    private final Duration time;
    private final int haste;
    private final boolean clustered;
    private Pattern only = Pattern.compile("");
    private final Violations violations = new Violations();
    private final Figures figures = new Figures();

    /**
     * Creates a run of this duration.
     *
     * @param haste divisor of the durations of faults, so that more of them occur
     * @param clustered whether Redis is a cluster
     */
    Run(long seed, Duration time, int haste, boolean clustered) {
        this.clustered = clustered;
        this.seed = seed;
        this.time = time;
        this.haste = haste;
    }

    /** Restricts the faults to kinds in which the pattern is found. */
    Run only(Pattern kinds) {
        this.only = kinds;
        return this;
    }

    /** Fails with the seed and the report if there is a violation. */
    void start() throws Exception {
        System.out.println("Faults of seed " + seed);
        long start = System.nanoTime();
        try (var bench = new Bench(time.dividedBy(2), clustered);
                var consumer =
                        new WebhookConsumer(
                                new EventJudge(violations),
                                seed,
                                bench.doors(),
                                figures,
                                violations)) {
            var histories = new Histories(bench.season(), InstantSource.system(), violations);
            var drift = new Drift(bench, violations);
            var moderator =
                    new Moderator(
                            seed, bench.effects(), histories, bench.doors(), figures, violations);
            var load = new Load(bench, seed, moderator, consumer, histories, figures, violations);
            var nemesis =
                    new Nemesis(
                            bench,
                            only,
                            seed,
                            haste,
                            moderator,
                            histories,
                            figures,
                            drift,
                            violations);
            var audit = new Audit(bench, violations);
            load.start();
            try {
                nemesis.run(time);
            } catch (Exception | Error e) {
                violations.add("the nemesis stopped: " + Load.trace(e));
            }
            load.stop();
            int snapshots = audit.stop();
            new FinalJudge(bench, histories, drift, violations).judge(load);
            var lasted = Duration.ofNanos(System.nanoTime() - start);
            var report =
                    new Report(
                            Path.of(
                                    "target",
                                    clustered ? "chaos-report-cluster.md" : "chaos-report.md"),
                            nemesis.all().stream().map(Fault::kind).toList(),
                            seed,
                            lasted,
                            nemesis.strikes(),
                            figures,
                            snapshots,
                            violations.found());
            String summary = report.write();
            assertThat(violations.found())
                    .as(summary + "\nfaults in order:\n" + nemesis.strikes())
                    .isEmpty();
            assertThat(nemesis.strikes()).as(summary).hasSizeGreaterThanOrEqualTo(least(nemesis));
            assertThat(snapshots).as("committed states audited, " + summary).isPositive();
        }
    }

    /** Least number of faults: a long run has each kind at least once. */
    private int least(Nemesis nemesis) {
        return time.compareTo(LONG) < 0 ? 1 : nemesis.kinds().size();
    }
}
