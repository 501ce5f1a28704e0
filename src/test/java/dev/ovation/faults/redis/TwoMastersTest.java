package dev.ovation.faults.redis;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two Redis masters at the same time, and instances that use different ones. */
@Beside
@ExtendWith(Line.class)
class TwoMastersTest {

    /** The instances take the partitions from each other, after pauses; health shows that. */
    @Test
    void anInstanceIsLeftOnTheOldMasterWhileAnotherUsesTheNewOne() {
        try (var old = Line.stage().beside()) {
            Line.leadTo(old);
            try (var other = Line.stage().start(Stage.PATIENT);
                    var load = Load.on("two masters", Line.service(), other)) {
                Wait.until("health of one shows it", () -> seesTwoServers(Line.service()));
                Wait.until("health of the other shows it", () -> seesTwoServers(other));
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
