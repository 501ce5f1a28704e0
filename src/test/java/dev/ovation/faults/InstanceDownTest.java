package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Patience;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

/** Row "an instance" of "When a part is down" in {@code docs/guarantees.md}. */
@Beside
class InstanceDownTest {

    private static final int UNFINISHED = 37;

    @Test
    void theOthersContinueAndCommitItsChanges() throws Exception {
        try (var stage = Stage.open();
                var killed = process(stage)) {
            var other = stage.start(Patience.LONG);
            assertThat(killed.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);
            try (var _ =
                    stage.hold(
                            "select 1 from partition where p = " + partition() + " for update")) {
                for (int i = 0; i < UNFINISHED; i++) {
                    String user = "user-" + i;
                    var _ = Stage.meanwhile(() -> killed.add(POSTS, "1", user, "👍"));
                }
                stage.awaitProposed(POSTS, "1", 1 + UNFINISHED);
                killed.kill();

                assertThat(Stage.counts(other.read(POSTS, "1", "ann")))
                        .containsEntry("👍", 1L + UNFINISHED);
                assertThat(other.add(POSTS, "elsewhere", "ben", "👍").status()).isEqualTo(200);
                assertThat(stage.unapplied()).isEqualTo(UNFINISHED);
                Parts.assertReadiness(other, 200);
                stage.release();
            }

            Wait.until(
                    "the other has finished them",
                    () -> stage.count(POSTS, "1", "👍") == 1 + UNFINISHED);
            assertThat(other.add(POSTS, "1", "ben", "👍").status()).isEqualTo(200);
            Wait.until(
                    "the other has counted them",
                    () ->
                            stage.metric(other, "ovation_relay_batch_size_events_sum", "")
                                    >= UNFINISHED);
            Wait.until(
                    "no event is left",
                    () -> stage.metric(other, "ovation_outbox_length_events", "") == 0);
            Parts.awaitAllUp(other);
            stage.assertSound();
        }
    }

    private static int partition() {
        return Stage.partition(POSTS, "1");
    }

    private static ServiceProcess process(Stage stage) {
        return ServiceProcess.start(
                Stage.settings(
                        Stage.PATIENT,
                        Stage.LOCKS_END,
                        "spring.datasource.url=" + stage.url,
                        "spring.datasource.username=postgres",
                        "spring.datasource.password=postgres",
                        "spring.data.redis.url=" + stage.redisProcess.uri(),
                        "ovation.config-dir=" + Stage.CONFIG));
    }
}
