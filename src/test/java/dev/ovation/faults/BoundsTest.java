package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Bounds of waiting work while Postgres hangs and ten times as many writes arrive as there are
 * permits.
 */
@Isolated
@Tag("embedded")
@TestInstance(Lifecycle.PER_CLASS)
class BoundsTest {

    private static final int PERMITS = 97;
    private static final int WRITES = 10 * PERMITS;
    private static final int CLIENTS = 16;
    private static final int POSTGRES_CONNECTIONS = 11;

    /** One for requests, one for the relay, one for watermark updates. */
    private static final int REDIS_CONNECTIONS = 3;

    private static final String ENTITY = "1";

    private final PostgresProcess postgres = PostgresProcess.start();
    private final Stage stage = Stage.openOn(postgres);
    private Instance service;
    private int written;

    @BeforeAll
    void start() {
        service =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT_WITH_REDIS,
                                "ovation.requests.writes=" + PERMITS,
                                "spring.datasource.hikari.maximum-pool-size="
                                        + POSTGRES_CONNECTIONS));
    }

    @AfterAll
    void close() {
        stage.close();
        postgres.close();
    }

    @Test
    void writesBeyondTheBulkheadAreRefusedAndAllRecovers() {
        storm(); // creates the connections and their buffers
        long before = heap();

        storm();

        Wait.until(
                "heap after the second time below 1.2 times " + before + " bytes",
                () -> heap() < before + before / 5);
        assertThat(stage.count(POSTS, ENTITY, "👍")).isEqualTo(written);
        Parts.awaitAllUp(service);
        stage.assertSound();
    }

    /**
     * The test locks the partition first, so that exactly the permitted number of writes is in
     * flight.
     */
    private void storm() {
        assertWritten();
        String row = "select 1 from partition where p = " + Stage.partition(POSTS, ENTITY);
        List<CompletableFuture<Answer>> inFlight;
        try (var _ = stage.hold(row + " for update")) {
            inFlight = IntStream.range(0, PERMITS).mapToObj(_ -> write()).toList();
            stage.awaitProposed(POSTS, ENTITY, written);
            postgres.pause();
            try {
                var refused = others();
                assertThat(refused).hasSize(WRITES - PERMITS).allSatisfy(Parts::assertRefused);
                assertThat(stage.metric(service, "ovation_requests_active", "writes"))
                        .isEqualTo(PERMITS);
                assertThat(inFlight).noneMatch(CompletableFuture::isDone);
                assertHolds();
            } finally {
                postgres.resume();
            }
        }
        inFlight.forEach(write -> assertThat(write.join().status()).isEqualTo(200));
        assertWritten();
        Wait.until(
                "its sessions are as many as the settings say",
                () -> sessions() == POSTGRES_CONNECTIONS);
    }

    /** Asserts the bounds while Postgres hangs. */
    private void assertHolds() {
        Parts.awaitDown(service, "postgres");
        assertThat(stage.metric(service, "hikaricp_connections{", ""))
                .isLessThanOrEqualTo(POSTGRES_CONNECTIONS);
        assertThat(stage.redis().clientList().lines()).hasSize(REDIS_CONNECTIONS + 1);
        assertThat(Stage.counts(service.read(POSTS, ENTITY, null)))
                .containsEntry("👍", (long) written);
        Parts.assertReadiness(service, 200);
        Parts.assertAlive(service);
    }

    /** Retries, because a relay cycle that failed while Postgres hung may end only now. */
    private void assertWritten() {
        String user = "user-" + ++written;
        Parts.awaitAccepted(() -> service.add(POSTS, ENTITY, user, "👍"));
    }

    private CompletableFuture<Answer> write() {
        String user = "user-" + ++written;
        return Stage.meanwhile(() -> service.add(POSTS, ENTITY, user, "👍"));
    }

    /** Sends all writes beyond the permits. */
    private List<Answer> others() {
        List<Future<Answer>> writes;
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            writes =
                    IntStream.range(0, WRITES - PERMITS)
                            .mapToObj(i -> Instance.body(POSTS, ENTITY, "other-" + i, "👍"))
                            .map(body -> clients.submit(() -> post(body)))
                            .toList();
        }
        return writes.stream().map(Future::resultNow).toList();
    }

    private Answer post(String body) {
        return service.send("POST", "/reactions", body);
    }

    private int sessions() {
        return stage.rows(
                        """
                        select pid from pg_stat_activity
                        where  datname = current_database() and pid <> pg_backend_pid()
                        """)
                .size();
    }

    /** Bytes in use after a collection. */
    private static long heap() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
