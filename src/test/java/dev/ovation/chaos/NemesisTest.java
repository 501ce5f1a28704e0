package dev.ovation.chaos;

import dev.ovation.testing.Beside;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The short run, a part of every build, with short faults. The seed is fixed, so that the faults
 * and their order are the same in each build; {@code -Dchaos.seed=7} selects others.
 */
@Tag("embedded")
@Beside
class NemesisTest {

    private static final int HASTE = 4;

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // beyond the waits of a busy machine
    void nothingAcknowledgedIsLostInHalfAMinuteOfFaults() throws Exception {
        new Run(Seed.from("chaos.seed", 1), Duration.ofSeconds(30), HASTE, false).start();
    }
}
