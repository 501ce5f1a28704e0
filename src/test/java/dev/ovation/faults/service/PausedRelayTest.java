package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

class PausedRelayTest {

    private static final String[] PATIENT = {
        "ovation.relay.stuck-after=60s", "ovation.requests.deadline=60s",
    };

    @Test
    void anInstanceThatStandsStillWithinItsTransactionHoldsNobodyUpForLong() throws Exception {
        try (var stage = Stage.open();
                var paused = process(stage)) {
            // Looks at no outbox by itself, so that the other one's relay has the first go.
            var other = stage.start(Stage.settings(PATIENT, "ovation.relay.sweep=1h"));
            paused.add(POSTS, "1", "ann", "👍");

            try (var _ = stage.hold("select 1 from entity where entity = '1' for update")) {
                var waiting = Stage.meanwhile(() -> paused.add(POSTS, "1", "ben", "👍"));
                Wait.until("it waits in the midst of its transaction", () -> isBlocked(stage));
                paused.pause();
                var late = Stage.meanwhile(() -> other.add(POSTS, "1", "cat", "👍"));
                stage.awaitProposed(POSTS, "1", 3);
                assertThat(late).isNotDone();
                stage.release();

                assertThat(late.get().status()).isEqualTo(200);
                assertThat(waiting).isNotDone();
                paused.resume();
                assertThat(waiting.get().status()).isEqualTo(200);
            }

            Wait.until("its commit failed", () -> paused.output().contains("pass failed"));
            assertThat(paused.add(POSTS, "1", "dan", "👍").status()).isEqualTo(200);
            assertThat(stage.count(POSTS, "1", "👍")).isEqualTo(4);
            assertThat(stage.rows("select version from entity")).containsExactly("4");
            assertThat(stage.rows("select * from rejected_event")).isEmpty();
            stage.assertSound();
        }
    }

    private static ServiceProcess process(Stage stage) {
        return ServiceProcess.start(
                Stage.settings(
                        PATIENT,
                        "spring.datasource.url=" + stage.url,
                        "spring.datasource.username=postgres",
                        "spring.datasource.password=postgres",
                        "spring.data.redis.url=" + stage.redisProcess.uri(),
                        "ovation.config-dir=" + Stage.CONFIG));
    }

    private static boolean isBlocked(Stage stage) {
        return !stage.rows(
                        """
                        select pid from pg_stat_activity
                        where  datname = current_database() and wait_event_type = 'Lock'
                        """)
                .isEmpty();
    }
}
