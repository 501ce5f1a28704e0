package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.faults.Stage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** After a flush the loads of requested entities are bounded, and begin with the hottest entity. */
@Beside
class ColdRecoveryTest {

    private static final String TABLE = "counter";
    private static final int ENTITIES = 31;
    private static final int RUNNING = 5;
    private static final int CROWD = 23;
    private static final String HOT = "hot";

    /** An entity of each partition. */
    private static final Collection<String> PROBES =
            IntStream.range(0, 10_000)
                    .mapToObj(i -> "probe-" + i)
                    .collect(toMap(probe -> partition(POSTS, probe), it -> it, (a, _) -> a))
                    .values();

    private final List<CompletableFuture<Answer>> reads = new ArrayList<>();

    @Test
    void loadsAreBoundedAndLeaveOtherQueriesRoom() {
        try (var stage = Stage.open()) {
            var service = stage.start(patient(RUNNING));
            assertThat(keyed(service).status()).isEqualTo(200);
            flush(stage, service);

            try (var _ = stage.holdReaders(TABLE)) {
                for (int i = 0; i < ENTITIES; i++) {
                    read(service, "cold-" + i);
                }
                awaitLoads(stage, service, ENTITIES - RUNNING, ENTITIES);

                Wait.until("all that run wait for the lock", () -> stage.blocked() == RUNNING);
                assertThat(loads(stage, service, "running")).isEqualTo(RUNNING);
                assertThat(stage.blocked()).isEqualTo(RUNNING);
                assertThat(keyed(service).status()).isEqualTo(200);
                stage.release();
            }

            assertAllAnswered();
            awaitLoads(stage, service, 0, 0);
            awaitInstalled(stage);
            assertThat(stage.redis().keys("{*}:c:*:cold-*")).hasSize(ENTITIES);
            stage.assertSound();
        }
    }

    /**
     * With one statement at a time the order is fixed: the running load first, then the hottest
     * entity, although it was requested last.
     */
    @Test
    void theHottestEntityIsLoadedFirstAndOnceForAllWaiters() {
        try (var stage = Stage.open()) {
            var service = stage.start(patient(1));
            assertThat(service.add(POSTS, HOT, "ann", "👍").status()).isEqualTo(200);
            flush(stage, service);
            var installed = stage.watchInstalls();

            try (var _ = stage.holdReaders(TABLE)) {
                read(service, "running");
                Wait.until("it runs", () -> stage.blocked() == 1);
                for (int i = 0; i < ENTITIES; i++) {
                    read(service, "cold-" + i);
                }
                awaitLoads(stage, service, ENTITIES, 1 + ENTITIES);
                for (int i = 0; i < CROWD; i++) {
                    read(service, HOT);
                }
                awaitLoads(stage, service, ENTITIES + 1, 1 + ENTITIES + CROWD);
                stage.release();
            }

            assertAllAnswered();
            Wait.until("all are installed", () -> installed.size() == 1 + ENTITIES + 1);
            assertThat(installed.subList(0, 2)).containsExactly("running", HOT);
            assertThat(installed).doesNotHaveDuplicates();
            stage.assertSound();
        }
    }

    @Test
    void aLoadBeyondTheQueueIsRefusedAndReleasesItsLease() {
        try (var stage = Stage.open()) {
            var service =
                    stage.start(
                            Stage.settings(patient(1), "ovation.internal.loads.queue-capacity=1"));
            flush(stage, service);

            try (var _ = stage.holdReaders(TABLE)) {
                read(service, "running");
                Wait.until("it runs", () -> stage.blocked() == 1);
                read(service, "waiting");
                awaitLoads(stage, service, 1, 2);

                Parts.assertUnavailable(service.read(POSTS, "refused", "ann"));
                Parts.assertRefused(service.add(POSTS, "refused", "ann", "👍"));
                Parts.assertCause(service, "loads");
                Wait.until(
                        "its lease is free", () -> stage.redis().keys("{*}:l:*:refused").isEmpty());
                assertThat(stage.metric(service, "ovation_hot_loads_total", "refused"))
                        .isEqualTo(2);
                stage.release();
            }

            assertAllAnswered();
            assertThat(service.add(POSTS, "refused", "ann", "👍").status()).isEqualTo(200);
            stage.assertSound();
        }
    }

    @Test
    void readsOfEachPartitionAreAnsweredRightAfterTheFlush() {
        try (var stage = Stage.open()) {
            var service = stage.start(patient(RUNNING));
            assertThat(service.add(POSTS, HOT, "ann", "👍").status()).isEqualTo(200);
            stage.awaitDrained();
            stage.redis().flushall();

            for (String probe : PROBES) {
                assertThat(service.read(POSTS, probe, null).status()).isEqualTo(200);
            }
            assertThat(Stage.own(service.read(POSTS, HOT, "ann"))).containsExactly("👍");

            awaitOpen(stage);
            stage.assertSound();
        }
    }

    /**
     * Settings with this many concurrent statements, and no time-out while a test locks Postgres.
     */
    private static String[] patient(int running) {
        return Patience.longWith(
                "ovation.audit.rate=0", // an audit would wait for the lock, too
                "ovation.internal.loads.max-concurrent=" + running,
                "ovation.internal.loads.max-wait=60s",
                "ovation.internal.postgres.max-wait=60s",
                "ovation.internal.hot.lease=60s",
                "ovation.internal.hot.lease-wait=60s");
    }

    /**
     * Empties Redis, and waits until the service has noticed the loss in each partition by itself.
     * A read would cause a load, and every fourth turn of loads is not the turn of the hottest
     * entity.
     */
    private static void flush(Stage stage, Instance service) {
        stage.awaitDrained();
        stage.redis().flushall();
        awaitOpen(stage);
        service.attached();
        awaitLoads(stage, service, 0, 0);
        awaitInstalled(stage);
    }

    private static void awaitOpen(Stage stage) {
        Wait.until(
                "all partitions are open again",
                () -> stage.redis().keys("{*}:meta").size() == PROBES.size());
    }

    /** A load ends when its installation is sent, which ends its lease. */
    private static void awaitInstalled(Stage stage) {
        Wait.until("no lease is held", () -> stage.redis().keys("{*}:l:*").isEmpty());
    }

    private void read(Instance service, String entity) {
        reads.add(Stage.meanwhile(() -> service.read(POSTS, entity, "ann")));
    }

    private void assertAllAnswered() {
        reads.forEach(read -> assertThat(read.join().status()).isEqualTo(200));
    }

    /** A write with a key; Postgres has the answer to its retries. */
    private static Answer keyed(Instance service) {
        return service.send(
                "POST",
                "/reactions",
                Instance.body(POSTS, "keyed", "ann", "👍"),
                "Idempotency-Key",
                "1");
    }

    private static void awaitLoads(Stage stage, Instance service, int waiting, int requests) {
        Wait.until(
                "%d loads wait, of %d requests".formatted(waiting, requests),
                () ->
                        loads(stage, service, "waiting") == waiting
                                && loads(stage, service, "requests") == requests);
    }

    private static long loads(Stage stage, Instance service, String state) {
        return stage.metric(service, "ovation_hot_loads_" + state, "");
    }
}
