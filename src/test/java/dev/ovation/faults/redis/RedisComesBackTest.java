package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Redis restarts with other data than before: no old state is shown, and no commit is lost. */
@Beside
@Tag("embedded")
@ExtendWith(Line.class)
class RedisComesBackTest {

    /**
     * Deletes data that was saved or copied from a master, which would return at the next restart.
     */
    @AfterEach
    void nothingIsOnDisk() throws IOException {
        Files.deleteIfExists(Line.stage().redisProcess.directory().resolve("dump.rdb"));
    }

    @Test
    void redisComesBackEmpty() throws Exception {
        var stage = Line.stage();
        service().add(POSTS, "empty", "ann", "👍");
        stage.awaitDrained();
        CompletableFuture<Answer> ben;
        try (var _ = stage.holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, "empty", "ben", "👍"));
            Wait.until("it waits for its commit", () -> watermarks().waiting() == 1);
            comeBackWith(null);
            assertThat(stage.redis().dbsize()).isZero();
        }
        assertThat(ben.get().status()).as(ben.get().body()).isEqualTo(200);
        assertThat(Stage.counts(service().read(POSTS, "empty", null))).isEqualTo(Map.of("👍", 2L));
    }

    @Test
    void redisComesBackOldAsACopyOfItsData() throws Exception {
        var stage = Line.stage();
        before("old copy");
        stage.awaitDrained();
        stage.redis().save();
        stage.redisProcess.kill();
        Path copy = stage.redisProcess.copy();
        stage.redisProcess.restart();
        Line.await(stage);
        after("old copy");

        try (var _ = new Reader("old copy")) {
            try (var _ = stage.holdRelays()) { // until then nothing removes old keys
                comeBackWith(copy);
                assertStale(stage, "old copy");
            }
            Line.await(stage);
        }
        assertRight("old copy");
    }

    @Test
    void redisComesBackAsAPromotedReplicaThatMissedTheLastWrites() throws Exception {
        var replica = Line.stage();
        try (var master = replica.beside();
                var replication = TcpProxy.before(master.redisProcess.uri())) {
            Line.leadTo(master);
            follow(replica, replication.port());
            copy(master, "stale replica");
            replication.cut();
            after("stale replica");

            try (var _ = new Reader("stale replica")) {
                replica.redis().replicaofNoOne();
                assertStale(replica, "stale replica");
                Line.leadTo(replica);
            }
            assertRight("stale replica");
        } finally {
            replica.redis().replicaofNoOne();
        }
    }

    /**
     * Requests that the service sends meanwhile arrive afterwards, without a check between them. On
     * a slow machine they may time out before; then the test repeats the sequence.
     */
    @Test
    void redisIsDemotedResyncedAndPromotedInOneProcessOnAnUnbrokenConnection() throws Exception {
        int times = 1;
        while (!isAskedAcrossAResync("resynced " + times)) {
            assertThat(++times).as("times").isLessThan(6);
            Line.await(Line.stage());
        }
    }

    /** Returns whether a request was still in flight when Redis had its old data again. */
    private static boolean isAskedAcrossAResync(String entity) throws Exception {
        var stage = Line.stage();
        try (var other = stage.beside()) {
            follow(other, stage.redisProcess.port());
            copy(stage, entity);
            other.redis().replicaofNoOne();
            after(entity);
            stage.awaitDrained();
            List<String> connections = connections(stage);

            Line.proxy().blackHole();
            var asked = Stage.meanwhile(() -> service().read(POSTS, entity, "ben"));
            follow(stage, other.redisProcess.port());
            stage.redis().replicaofNoOne();
            assertStale(stage, entity);
            boolean asks = !asked.isDone();
            Line.proxy().mend();

            assertThat(Stage.own(asked.get())).containsExactly("🔥");
            assertRight(entity);
            assertThat(connections(stage)).containsAll(connections);
            return asks;
        } finally {
            stage.redis().replicaofNoOne();
        }
    }

    /** Reads continuously, and must never see an earlier state. */
    private static final class Reader implements AutoCloseable {
        private final AtomicBoolean reading = new AtomicBoolean(true);
        private final CompletableFuture<Void> done;

        Reader(String entity) {
            done =
                    Stage.meanwhile(
                            () -> {
                                while (reading.get()) {
                                    assertRight(entity);
                                }
                                return null;
                            });
        }

        @Override
        public void close() {
            reading.set(false);
            done.join();
        }
    }

    private static void before(String entity) {
        Parts.awaitTaken(() -> service().add(POSTS, entity, "ann", "👍", "if_exists=ok"));
    }

    /**
     * Changes an entity, and waits until the replica has the change. A master that gets its first
     * replica has another incarnation; the service first removes what belongs to the one before.
     */
    private static void copy(Stage master, String entity) {
        Line.await(master);
        before(entity);
        master.awaitDrained();
        assertThat(master.redis().waitForReplication(1, 60_000)).isOne();
    }

    private static void after(String entity) {
        Parts.awaitTaken(() -> service().remove(POSTS, entity, "ann", "👍"));
        Parts.awaitTaken(() -> service().add(POSTS, entity, "ben", "🔥", "if_exists=ok"));
    }

    private static void assertRight(String entity) {
        var answer = service().read(POSTS, entity, "ben");
        assertThat(Stage.own(answer)).containsExactly("🔥");
        assertThat(Stage.counts(answer)).isEqualTo(Map.of("🔥", 1L));
    }

    private static void assertStale(Stage stage, String entity) {
        String counts =
                RedisSchema.counts(Stage.partition(POSTS, entity), Stage.key(POSTS, entity));
        assertThat(stage.redis().hgetall(counts)).containsKey("r:👍").doesNotContainKey("r:🔥");
    }

    private static void comeBackWith(Path copy) {
        var redis = Line.stage().redisProcess;
        redis.kill();
        redis.replace(copy);
        redis.restart();
    }

    /** Makes the Redis of a stage a replica of another, and waits until it is in sync. */
    private static void follow(Stage replica, int port) {
        replica.redis().replicaof("127.0.0.1", port);
        Wait.until(
                "it is in sync",
                () -> replica.redis().info("replication").contains("master_link_status:up"));
    }

    private static List<String> connections(Stage stage) {
        return stage.redis()
                .clientList()
                .lines()
                .filter(line -> line.contains("flags=N") || line.contains("flags=P"))
                .map(line -> line.replaceFirst(" .*", ""))
                .toList();
    }

    /** A request waits here once it has the answer of the script. */
    private static Watermarks watermarks() {
        return service().bean(Watermarks.class);
    }

    private static Instance service() {
        return Line.service();
    }
}
