package dev.ovation.chaos;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The short run, a part of every build: {@code -Dchaos.seed} takes another seed. */
@Tag("embedded")
class NemesisTest {

    @Test
    void nothingAcknowledgedIsLostInHalfAMinuteOfFaults() throws Exception {
        new Run(Long.getLong("chaos.seed", 1), Duration.ofSeconds(30)).start();
    }
}
