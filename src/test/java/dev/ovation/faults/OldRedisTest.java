package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicBoolean;

/** A Redis that comes back with what it held some time ago. */
class OldRedisTest {

    @Test
    void nothingOldIsShownAndNothingAcknowledgedIsLost() throws Exception {
        try (var stage = Stage.open()) {
            var service = stage.start(Stage.PATIENT);
            service.add(POSTS, "1", "ann", "👍");
            stage.awaitDrained();
            stage.redis().save();
            service.remove(POSTS, "1", "ann", "👍");
            service.add(POSTS, "1", "ben", "🔥");
            stage.awaitDrained();

            var reading = new AtomicBoolean(true);
            var reader =
                    Stage.meanwhile(
                            () -> {
                                while (reading.get()) {
                                    var answer = service.read(POSTS, "1", "ben");
                                    assertThat(answer.body()).contains("🔥").doesNotContain("👍");
                                }
                                return null;
                            });
            stage.redisProcess.kill();
            stage.redisProcess.restart();
            assertThat(stage.redis().keys("*:c:*")).as("it came back old").isNotEmpty();
            Wait.until(
                    "writes are taken",
                    () -> service.add(POSTS, "1", "cat", "🔥", "if_exists=ok").status() == 200);
            reading.set(false);
            reader.get();

            assertThat(stage.count(POSTS, "1", "🔥")).isEqualTo(2);
            stage.assertSound();
        }
    }
}
