package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** TTLs move by hand or with the clock: an hour back, which removes a key, or an hour ahead. */
@Beside
@ExtendWith(Line.class)
class MovedByPexpireatTest {

    private enum Key {
        COUNTS,
        USERS,
        META,
        OUTBOX
    }

    @ParameterizedTest
    @CsvSource({"COUNTS, -1", "COUNTS, 1", "USERS, -1", "USERS, 1", "META, -1", "META, 1"})
    void ttlOfACleanKeyMovedByPexpireat(Key kind, int hours) {
        String entity = "clean " + kind + hours;
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        move(key(kind, entity), hours);

        assertThat(Stage.own(service().read(POSTS, entity, "ann"))).containsExactly("👍");
        assertThat(service().add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    @ParameterizedTest
    @CsvSource({
        "COUNTS, -1",
        "COUNTS, 1",
        "USERS, -1",
        "USERS, 1",
        "META, -1",
        "META, 1",
        "OUTBOX, -1",
        "OUTBOX, 1"
    })
    void ttlOfADirtyKeyMovedByPexpireat(Key kind, int hours) throws Exception {
        String entity = "dirty " + kind + hours;
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ben;
        CompletableFuture<Answer> cat;
        try (var _ = Line.stage().holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            move(key(kind, entity), hours);
            cat = Stage.meanwhile(() -> service().add(POSTS, entity, "cat", "👍"));
            assertThat(Stage.own(service().read(POSTS, entity, "ann"))).containsExactly("👍");
        }
        assertThat(ben.get().status()).isEqualTo(200);
        assertThat(cat.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 3);
    }

    /**
     * The key looks clean then. Redis can evict one half of it, and Postgres' older state is
     * loaded.
     */
    @Test
    void aDirtyEntityThatWasGivenTtlsIsEvictedByHalf() throws Exception {
        String entity = "evicted while dirty";
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ben;
        CompletableFuture<Answer> cat;
        try (var _ = Line.stage().holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            move(key(Key.USERS, entity), 1);
            move(key(Key.COUNTS, entity), -1);
            cat = Stage.meanwhile(() -> service().add(POSTS, entity, "cat", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2); // judged on the state of Postgres
        }
        assertThat(ben.get().status()).isEqualTo(200);
        assertThat(cat.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 3);
    }

    @ParameterizedTest
    @CsvSource({"-1", "1"})
    void leaseOfALoaderMovedByPexpireat(int hours) throws Exception {
        String entity = "loaded" + hours;
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().evict(entity);
        String lease = RedisSchema.lease(Stage.partition(POSTS, entity), of(entity));
        CompletableFuture<Answer> read;
        CompletableFuture<Answer> ben;
        try (var loader = Line.failpoints().pauseAt(Point.AFTER_LOAD_READ)) {
            read = Stage.meanwhile(() -> service().read(POSTS, entity, "ann"));
            loader.awaitArrival();
            move(lease, hours);
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
        }
        assertThat(Stage.own(read.get())).containsExactly("👍");
        assertThat(ben.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    /** The holder died; without a TTL its lease would block others for an hour. */
    @Test
    void leaseOfADeadLoaderMovedByPexpireatAnHourForth() {
        String entity = "never loaded";
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().evict(entity);
        String lease = RedisSchema.lease(Stage.partition(POSTS, entity), of(entity));
        Line.stage().redis().set(lease, "somebody");
        move(lease, 1);

        assertThat(Stage.own(service().read(POSTS, entity, "ann"))).containsExactly("👍");
        assertThat(service().add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    private static void move(String key, int hours) {
        var to = Instant.now().plus(Duration.ofHours(hours));
        assertThat(Line.stage().redis().pexpireat(key, to)).as(key).isTrue();
    }

    private static String key(Key kind, String entity) {
        int p = Stage.partition(POSTS, entity);
        return switch (kind) {
            case COUNTS -> RedisSchema.counts(p, of(entity));
            case USERS -> RedisSchema.users(p, of(entity));
            case META -> RedisSchema.meta(p);
            case OUTBOX -> RedisSchema.outbox(p);
        };
    }

    private static EntityKey of(String entity) {
        return Stage.key(POSTS, entity);
    }

    private static Instance service() {
        return Line.service();
    }
}
