package dev.ovation.chaos;

import dev.ovation.testing.Beside;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The short run on a Redis Cluster, a part of every build, as {@link NemesisTest}. */
@Tag("embedded")
@Beside
class ClusterNemesisTest {

    private static final int HASTE = 4;

    /** The faults that only a cluster has, and a node that hangs. */
    private static final Pattern KINDS =
            Pattern.compile("replica promoted$|^Redis node paused$|^Redis slot");

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // beyond the waits of a busy machine
    void nothingAcknowledgedIsLostByNodesAndSlotsOfACluster() throws Exception {
        new Run(Seed.from("chaos.seed", 1), Duration.ofSeconds(10), HASTE, true)
                .only(KINDS)
                .start();
    }
}
