package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

/** A partition has more changes than may wait for Postgres. */
@Beside
class OutboxFullTest {

    private static final int CAP = 3;

    @Test
    void aWriteToAFullOutboxIsRefusedWithTheOutboxAsCause() throws Exception {
        try (var stage = Stage.open()) {
            var service =
                    stage.start(
                            Stage.settings(
                                    Stage.PATIENT, "ovation.internal.hot.outbox-cap=" + CAP));
            assertThat(service.add(POSTS, "1", "first", "👍").status()).isEqualTo(200);
            stage.awaitDrained();

            try (var _ = stage.holdRelays()) {
                var waiting =
                        IntStream.range(0, CAP)
                                .mapToObj(
                                        i ->
                                                Stage.meanwhile(
                                                        () ->
                                                                service.add(
                                                                        POSTS,
                                                                        "1",
                                                                        "waiting" + i,
                                                                        "👍")))
                                .toList();
                stage.awaitProposed(POSTS, "1", 1 + CAP);

                Parts.assertRefused(service.add(POSTS, "1", "refused", "👍"));
                Parts.assertCause(service, "outbox");

                stage.release();
                for (var write : waiting) {
                    assertThat(write.get().status()).isEqualTo(200);
                }
            }
            assertThat(stage.count(POSTS, "1", "👍")).isEqualTo(1 + CAP);
            stage.assertSound();
        }
    }
}
