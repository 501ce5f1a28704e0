package dev.ovation.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code -Dseed=… -Dschedules=…} to look elsewhere, or longer. */
class ProtocolModelTest {

    private static final long SEED = Long.getLong("seed", 1);
    private static final int SCHEDULES = Integer.getInteger("schedules", 100_000);

    @Test
    void noScheduleBreaksAPromise() {
        assertThat(Search.withAllRules().run(SEED, SCHEDULES)).isEmpty();
    }
}
