package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The roll-out of this release over the last one, and back, under the load of the nemesis: {@code
 * ./mvnw verify -Pupgrade -Dupgrade.seconds=20 -Dupgrade.seed=1}.
 */
@Tag("embedded")
@EnabledIfSystemProperty(named = "release.jar", matches = ".+")
class UpgradeIT {

    private final Path release = Path.of(System.getProperty("release.jar"));
    private final Path present = Path.of(System.getProperty("packaged.jar"));
    private final long seed = Seed.from("upgrade.seed", System.nanoTime());

    /** How long the load meets each mixture of instances. */
    private final Duration each = Duration.ofSeconds(Long.getLong("upgrade.seconds", 20));

    private final Violations violations = new Violations();
    private final Figures figures = new Figures();

    @Test
    void aRollOutForwardAndBackLosesNothing() throws Exception {
        System.out.println("Roll-out of seed " + seed);
        assertThat(Rollout.commit(release)).isNotEqualTo(Rollout.commit(present));
        try (var rollout = new Rollout(release, each.multipliedBy(3))) {
            var histories = new Histories(rollout.season(), InstantSource.system(), violations);
            var drift = new Drift(rollout, violations);
            var load = new Load(rollout, seed, histories, figures, violations);
            var prober = new Prober(rollout, seed, histories, figures, violations);
            var audit = new Audit(rollout, violations);
            load.start();
            prober.awaitWell("the start");
            Thread.sleep(each);
            rollout.migrate(present);
            roll(rollout, present, "forward", prober, drift);
            roll(rollout, release, "back", prober, drift);
            roll(rollout, present, "forward again", prober, drift);
            load.stop();
            int snapshots = audit.stop();
            new FinalJudge(rollout, histories, drift, violations).judge(load);

            assertThat(violations.found()).as("seed " + seed).isEmpty();
            assertThat(snapshots).as("committed states audited").isPositive();
        }
    }

    private void roll(Rollout rollout, Path jar, String way, Prober prober, Drift drift)
            throws Exception {
        for (int i = 0; i < rollout.size(); i++) {
            long start = System.nanoTime();
            rollout.replace(i, jar);
            String what = "instance terminated, %s by %s".formatted(way, jar.getFileName());
            prober.awaitWell(what);
            drift.look(what);
            System.out.printf(
                    "%s, after %.1f s: %s%n",
                    way, (System.nanoTime() - start) / 1e9, rollout.doors().get(i));
            Thread.sleep(each);
        }
    }
}
