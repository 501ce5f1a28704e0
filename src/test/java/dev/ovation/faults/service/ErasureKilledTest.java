package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An instance dies after it erased a user from some entities, before it notifies Redis. */
@Beside
class ErasureKilledTest {

    private static final int ENTITIES = 17;

    @TempDir Path folder;

    @Test
    void anErasureContinuesAfterARestartWithConsistentHotState() throws Exception {
        try (var doomed = new Doomed(folder)) {
            var stage = doomed.stage;
            var service = doomed.service;
            for (int i = 0; i < ENTITIES; i++) {
                for (String user : new String[] {"ann", "ben"}) {
                    var answer = service.add(NOTES, "entity-" + i, user, "👍");
                    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                }
            }
            stage.awaitDrained();
            // Simulates an eviction: then only the erasure has the list of users to remove.
            stage.redis().keys("{*}:u:*").forEach(key -> stage.redis().unlink(key));
            doomed.arm();
            var asked = Stage.meanwhile(() -> erase(service.port()));
            doomed.awaitEnd();
            assertThat(asked).failsWithin(Duration.ofSeconds(60));
            assertThat(stage.rows("select 1 from named_reaction where user_id = 'ann'"))
                    .as("some are erased")
                    .hasSizeBetween(1, ENTITIES - 1);

            var _ = doomed.startAgain();

            Wait.until(
                    "the job ends",
                    () ->
                            stage.rows("select state, request, key from job")
                                    .equals(List.of("done {} null")));
            assertThat(stage.rows("select report ->> 'reactions' from job"))
                    .containsExactly("" + ENTITIES);
            assertThat(stage.rows("select distinct user_id from named_reaction"))
                    .containsExactly("ben");
            stage.assertSound();
        }
    }

    private static int erase(int port) {
        try {
            return Instance.sendTo(port, "DELETE", Erasures.ofUser("ann"), null).status();
        } catch (UncheckedIOException e) {
            throw new IllegalStateException("it died", e);
        }
    }
}
