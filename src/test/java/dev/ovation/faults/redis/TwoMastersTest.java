package dev.ovation.faults.redis;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers that both are masters, and instances that do not agree on which one to use. */
@Beside
@ExtendWith(Line.class)
class TwoMastersTest {

    /** Each takes the partitions back from the other, after pauses; health says so. */
    @Test
    void anInstanceIsLeftOnTheOldMasterWhileAnotherUsesTheNewOne() {
        try (var old = Line.stage().beside()) {
            Line.leadTo(old);
            try (var other = Line.stage().start(Stage.PATIENT);
                    var load = Load.on("two masters", Line.service(), other)) {
                Wait.until("health of one says it", () -> seesTwoServers(Line.service()));
                Wait.until("health of the other says it", () -> seesTwoServers(other));
                load.awaitDone(17);

                Line.leadTo(Line.stage());
                other.attached();
                load.awaitDone(17);
                load.assertExplained(Line.stage());
            }
        }
    }

    private static boolean seesTwoServers(Instance instance) {
        return instance.get("/actuator/health")
                .json()
                .at("/components/relay/details/claimed_by_two_servers/0")
                .isNumber();
    }
}
