package dev.ovation.faults.redis;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** After kills of Redis every acknowledged change is stored, and no refused one. */
@Beside
@ExtendWith(Line.class)
class RedisKilledTest {

    @Test
    void redisKilledUnderLoadWithoutAof() {
        killUnderLoad(Line.stage(), "without AOF");
    }

    @Test
    void redisKilledUnderLoadWithAof() {
        try (var stage = Line.stage().beside("--appendonly", "yes", "--appendfsync", "always")) {
            Line.leadTo(stage);
            killUnderLoad(stage, "with AOF");
            stage.assertSound();
            Line.leadTo(Line.stage());
        }
    }

    private static void killUnderLoad(Stage stage, String entity) {
        try (var load = Load.on(entity, Line.service())) {
            for (int kills = 0; kills < 2; kills++) {
                load.awaitDone(53);
                try (var _ = stage.holdRelays()) {
                    Wait.until("changes are not acknowledged yet", () -> stage.unapplied() > 3);
                    stage.redisProcess.kill();
                    stage.redisProcess.restart();
                }
            }
            load.awaitDone(53);
            load.assertExplained(stage);
        }
    }
}
