package dev.ovation.faults.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.util.List;

class FlushAllTest {

    private static final long SEED = Long.getLong("seed", 377);
    private static final int FLUSHES = 3;
    private static final int USERS = 41;

    /**
     * With the relay held, every user ends up waiting for a change that is proposed and not
     * committed. What is flushed then was told to nobody, so each of these requests runs again.
     */
    @Test
    void flushAllUnderLoadLosesNothingThatWasAcknowledgedAndLeavesNoCountWrong() throws Exception {
        try (var stage = Stage.open()) {
            var service = stage.start(Stage.PATIENT);
            var crowd = new Crowd(SEED, List.of(service), List.of("1", "2", "3"));
            var running = Stage.meanwhile(() -> crowd.run(USERS, 211));

            long lost = 0;
            for (int i = 0; i < FLUSHES; i++) {
                long committed = stage.changes();
                Wait.until("some more is committed", () -> stage.changes() > committed + 53);
                try (var _ = stage.holdRelays()) {
                    Wait.until("changes wait for the relay", () -> stage.unapplied() > USERS / 2);
                    lost += stage.unapplied();
                    stage.redis().flushall();
                }
            }
            var users = running.get();

            IO.println(
                    "%d unacknowledged changes were lost in %d flushes".formatted(lost, FLUSHES));
            assertThat(lost).isGreaterThan(0);
            stage.assertSound();
            Crowd.assertStored(stage, users);
        }
    }
}
