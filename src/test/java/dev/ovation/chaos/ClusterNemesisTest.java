package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.Beside;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The short run on a Redis Cluster, a part of every build, as {@link NemesisTest}. */
@Tag("embedded")
@Beside
class ClusterNemesisTest {

    private static final int HASTE = 4;

    @Test
    void nothingAcknowledgedIsLostByNodesAndSlotsOfACluster() throws Exception {
        new Run(Seed.from("chaos.seed", 1), Duration.ofSeconds(20), HASTE, true)
                .only(Part.REDIS)
                .start();
    }
}
