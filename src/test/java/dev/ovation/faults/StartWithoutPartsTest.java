package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.FaultyOvation;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.time.Duration;
import java.util.List;

/** A service whose server is down at its start. */
@Isolated
class StartWithoutPartsTest {

    private static final int SIGTERM = 15;

    /** A start takes seconds of processor time, which a busy machine provides slowly. */
    private static final Duration START = Duration.ofMinutes(5);

    @Test
    void aStartWithoutRedisReadsFromPostgresAndWritesOnceRedisIsThere() {
        try (var stage = Stage.open()) {
            stage.sql.update(
                    "insert into named_reaction values (?, '1', 'ann', '👍', 1000)", POSTS);
            stage.sql.update(
                    "insert into named_counter values (?, '1', '👍', 1, 1000, 1000)", POSTS);
            stage.sql.update("insert into named_entity values (?, '1', 1, 'import', 1000)", POSTS);
            stage.sql.execute("select count_people()");
            stage.redisProcess.kill();
            var service =
                    stage.launch(
                            Stage.settings(
                                    Stage.PATIENT, "ovation.internal.requests.attach=100ms"));

            assertThat(Stage.own(service.read(POSTS, "1", "ann"))).containsExactly("👍");
            Parts.assertRefused(service.add(POSTS, "1", "ben", "👍"));

            stage.redisProcess.restart();
            service.attached();

            Parts.awaitAccepted(() -> service.add(POSTS, "1", "ben", "👍"));
            stage.assertSound();
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aStartWaitsForPostgresAndContinuesOnceItIsReachable(CapturedOutput output)
            throws Exception {
        try (var stage = Stage.open()) {
            stage.proxy().cut();
            var starting = Stage.meanwhile(() -> stage.launchBehindProxy(Stage.PATIENT));
            Wait.until("it waits", START, () -> output.getOut().contains("Waiting for Postgres"));
            assertThat(starting).isNotDone();

            stage.proxy().mend();

            var service = starting.get().attached();
            assertThat(service.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);
        }
    }

    @Test
    void aStartThatWaitsForPostgresCanBeStopped() {
        var nowhere = "127.0.0.1:1";
        var service =
                ChildJvm.startQuickly(
                        FaultyOvation.class,
                        List.of(
                                "--server.port=0",
                                "--spring.datasource.url=jdbc:postgresql://" + nowhere + "/any",
                                "--spring.data.redis.url=redis://" + nowhere));
        Wait.until("it waits", START, () -> service.output().contains("Waiting for Postgres"));

        service.close();

        assertThat(service.exitCode()).isEqualTo(128 + SIGTERM);
    }
}
