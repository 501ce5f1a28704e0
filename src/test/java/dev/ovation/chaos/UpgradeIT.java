package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.time.Duration;

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

    @Test
    void aRollOutForwardAndBackLosesNothing() throws Exception {
        System.out.println("Roll-out of seed " + seed);
        assertThat(Rollout.commit(release)).isNotEqualTo(Rollout.commit(present));
        try (var rollout = new Rollout(release, each.multipliedBy(3));
                var load = new CheckedLoad(rollout, seed)) {
            load.start();
            Thread.sleep(each);
            rollout.migrate(present);
            replace(rollout, load, 0, present, "the last release commits", Rollout.WITHOUT_RELAY);
            replace(rollout, load, 0, present, "forward");
            replace(rollout, load, 1, release, "this release commits", Rollout.WITHOUT_RELAY);
            replace(rollout, load, 1, present, "forward");
            replace(rollout, load, 0, release, "back");
            replace(rollout, load, 1, release, "back");
            replace(rollout, load, 0, present, "forward again");
            replace(rollout, load, 1, present, "forward again");
            load.judge();
        }
    }

    /** Replaces one of two instances, and lets the load meet the mixture. */
    private void replace(
            Rollout rollout, CheckedLoad load, int number, Path jar, String way, String... settings)
            throws Exception {
        long start = System.nanoTime();
        rollout.replace(number, jar, settings);
        load.awaitWell("instance terminated, %s by %s".formatted(way, jar.getFileName()));
        double seconds = (System.nanoTime() - start) / 1e9;
        Thread.sleep(each);
        rollout.judge();
        Door staying = rollout.doors().get(1 - number);
        System.out.printf(
                "%s, instance %d by %s: serves after %.1f s, longest stop of writes at the other %s%n",
                way, number, jar.getFileName(), seconds, load.longestStop(staying, start));
    }
}
