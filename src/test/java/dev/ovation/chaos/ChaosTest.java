package dev.ovation.chaos;

import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The long run: {@code ./mvnw verify -Pchaos -Dchaos.minutes=30 -Dchaos.seed=1}. */
@Tag("embedded")
@Tag("chaos")
class ChaosTest {

    @Test
    void nothingAcknowledgedIsLostInALongTimeOfFaults() throws Exception {
        long seed = Seed.from("chaos.seed", System.nanoTime());
        var time = Duration.ofMinutes(Long.getLong("chaos.minutes", 30));
        new Run(seed, time, 1, RedisCluster.CHOSEN).start();
    }
}
