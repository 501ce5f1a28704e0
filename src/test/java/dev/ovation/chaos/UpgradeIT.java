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
            roll(rollout, load, present, "forward");
            roll(rollout, load, release, "back");
            roll(rollout, load, present, "forward again");
            load.judge();
        }
    }

    private void roll(Rollout rollout, CheckedLoad load, Path jar, String way) throws Exception {
        for (int i = 0; i < rollout.size(); i++) {
            long start = System.nanoTime();
            rollout.replace(i, jar);
            load.awaitWell("instance terminated, %s by %s".formatted(way, jar.getFileName()));
            System.out.printf(
                    "%s, after %.1f s: %s%n",
                    way, (System.nanoTime() - start) / 1e9, rollout.doors().get(i));
            Thread.sleep(each);
        }
    }
}
