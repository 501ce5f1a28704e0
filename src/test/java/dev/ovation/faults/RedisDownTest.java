package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Row "Redis" of "When a part is down" in {@code docs/guarantees.md}; Redis is killed once for all
 * tests.
 */
@Beside
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class RedisDownTest {

    private static final int RUNNING = 3;
    private static final int RUNNING_OR_WAITING = 7;
    private static final int READS = 41;

    private final Stage stage = Stage.open();
    private Instance service;

    @BeforeAll
    void killRedis() {
        service =
                stage.start(
                        Patience.longWith(
                                "ovation.audit.rate=0", // an audit would wait for the lock, too
                                "ovation.internal.postgres.max-concurrent=" + RUNNING,
                                "ovation.internal.postgres.queue-capacity=" + RUNNING_OR_WAITING,
                                "ovation.internal.postgres.max-wait=60s",
                                "ovation.internal.requests.attach=100ms"));
        assertThat(service.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);
        stage.redisProcess.kill();
        Parts.awaitDown(service, "redis");
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Test
    void readsComeFromPostgres() {
        var answer = service.read(POSTS, "1", "ann");

        assertThat(Stage.own(answer)).containsExactly("👍");
        assertThat(Stage.counts(answer)).containsEntry("👍", 1L);
    }

    @Test
    void screensComeFromPostgresToo() {
        var screen = Parts.screen(service, "ann", "1", "never-seen", "1").json().get("entities");

        assertThat(screen.get(0)).isEqualTo(service.read(POSTS, "1", "ann").json());
        assertThat(screen.get(1)).isEqualTo(service.read(POSTS, "never-seen", "ann").json());
        assertThat(screen.get(2)).isEqualTo(screen.get(0));
    }

    @Test
    void aScreenAsksPostgresOnce() {
        try (var _ = stage.holdReaders("entity")) {
            var screen = Stage.meanwhile(() -> Parts.screen(service, "ann", "1", "2", "3", "4"));
            Wait.until("it queries Postgres", () -> stage.blocked() > 0);
            for (int i = 0; i < 20; i++) {
                assertThat(stage.blocked()).isEqualTo(1);
            }
            stage.release();
            assertThat(screen.join().json().get("entities")).hasSize(4);
        }
    }

    /** The settings bound running and waiting queries; all further reads are refused at once. */
    @Test
    void readsAskPostgresBoundedly() {
        try (var _ = stage.holdReaders("entity")) {
            var reads =
                    IntStream.range(0, READS)
                            .mapToObj(_ -> Stage.meanwhile(() -> service.read(POSTS, "1", "ann")))
                            .toList();
            Wait.until("all others are refused", () -> done(reads) == READS - RUNNING_OR_WAITING);

            Wait.until("the permitted queries run", () -> stage.blocked() == RUNNING);
            assertThat(stage.metric(service, "ovation_postgres_running", "")).isEqualTo(RUNNING);
            assertThat(stage.metric(service, "ovation_postgres_waiting", ""))
                    .isEqualTo(RUNNING_OR_WAITING - RUNNING);
            reads.stream()
                    .filter(CompletableFuture::isDone)
                    .forEach(read -> Parts.assertUnavailable(read.join()));
            var left = reads.stream().filter(read -> !read.isDone()).toList();
            stage.release();
            left.forEach(read -> assertThat(Stage.own(read.join())).containsExactly("👍"));
        }
    }

    @Test
    void writesAreRefused() {
        Parts.assertRefused(service.add(POSTS, "1", "ben", "👍"));
        Parts.assertCause(service, "attach");
        Parts.assertRefused(service.remove(POSTS, "1", "ann", "👍"));
        Parts.assertRefused(
                service.send(
                        "POST",
                        "/reactions",
                        Instance.body(POSTS, "1", "ben", "👍"),
                        "Idempotency-Key",
                        "1"));
        assertThat(stage.count(POSTS, "1", "👍")).isEqualTo(1);
    }

    @Test
    void theServiceStaysReadyAndReportsRedisAsDown() {
        Parts.assertReadiness(service, 200);
        Parts.assertAlive(service);
        Parts.assertSince(service, "redis");
        assertThat(stage.metric(service, "ovation_redis_up", "")).isZero();
        assertThat(stage.metric(service, "ovation_postgres_up", "")).isOne();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void allOperationsSucceedWhenItIsBack() {
        stage.redisProcess.restart();
        service.attached();

        Parts.awaitAccepted(() -> service.add(POSTS, "1", "ben", "👍"));
        assertThat(Stage.counts(service.read(POSTS, "1", "ann"))).containsEntry("👍", 2L);
        Parts.awaitAllUp(service);
        assertThat(stage.metric(service, "ovation_redis_up", "")).isOne();
        stage.assertSound();
    }

    private static long done(List<CompletableFuture<Answer>> reads) {
        return reads.stream().filter(CompletableFuture::isDone).count();
    }
}
