package dev.ovation.testing.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StandstillsTest {

    private final Recent lines = new Recent(5, 200);
    private final Standstills standstills = new Standstills(lines, 1_000, 70);

    @Test
    void aLookInTimeAndASlightlyLateOneAreNotRecorded() {
        standstills.look(1_100, 70);
        standstills.look(2_100, 500);

        assertThat(lines.lines()).isEmpty();
    }

    @Test
    void aLateLookIsRecordedWithTheShareOfTheCollector() {
        standstills.look(1_100, 70);
        standstills.look(12_300, 10_470);
        standstills.look(12_400, 10_470);

        assertThat(lines.lines())
                .singleElement()
                .asString()
                .endsWith("end of a standstill of 11.1 s; garbage collections took 10.4 s of it");
    }
}
