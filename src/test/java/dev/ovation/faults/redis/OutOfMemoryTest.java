package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Redis is full, and every key in it is dirty, so that it cannot evict any. */
@Beside
@ExtendWith(Line.class)
class OutOfMemoryTest {

    private static final String ENTITY = "full";
    private static final int WAVE = 16;
    private static final int ROOM = 150_000;
    private static final String COUNTS =
            RedisSchema.counts(Stage.partition(POSTS, ENTITY), Stage.key(POSTS, ENTITY));

    @AfterEach
    void thereIsRoomAgain() {
        Line.stage().redis().configSet("maxmemory", "0");
    }

    @Test
    void outOfMemoryWithAllKeysDirtyRefusesBeforeAnythingIsTornAndEndsWithTheDrain()
            throws Exception {
        var stage = Line.stage();
        Line.service().add(POSTS, "cold", "ann", "👍");
        stage.redis().flushall();
        stage.awaitDrained();
        long limit = memory() + ROOM;
        stage.redis().configSet("maxmemory", "" + limit);

        var writes = new ArrayList<CompletableFuture<Answer>>();
        long full;
        try (var _ = stage.holdRelays()) {
            while (writes.stream().noneMatch(CompletableFuture::isDone)) {
                for (int i = 0; i < WAVE; i++) {
                    writes.add(write(writes.size()));
                }
                Wait.until("each is proposed or refused", () -> proposed() == waiting(writes));
            }
            full = memory();
            assertThat(writes)
                    .filteredOn(CompletableFuture::isDone)
                    .allSatisfy(write -> assertRefused(write.join()));

            assertWhole(proposed());
            assertAllDirty();
            assertThat(Stage.counts(Line.service().read(POSTS, ENTITY, null)))
                    .isEqualTo(Map.of("👍", proposed()));
            assertThat(Stage.own(Line.service().read(POSTS, "cold", "ann"))).containsExactly("👍");
        }
        var answers = writes.stream().map(CompletableFuture::join).map(Answer::status).toList();
        stage.awaitDrained();
        assertThat(stage.count(POSTS, ENTITY, "👍"))
                .isEqualTo(answers.stream().filter(status -> status == 200).count());
        Wait.until("memory is free again, that of connections too", () -> memory() < full);
        // Buffers of connections may use the memory for a moment once more.
        Parts.awaitAccepted(() -> Line.service().add(POSTS, ENTITY, "ann", "👍"));
    }

    /** Writes with long names, which fill memory soon; some have a key, which adds a write. */
    private static CompletableFuture<Answer> write(int number) {
        String user = "u".repeat(200) + number;
        String body = Instance.body(POSTS, ENTITY, user, "👍");
        return Stage.meanwhile(
                () ->
                        number % 2 == 0
                                ? Line.service().send("POST", "/reactions", body)
                                : Line.service()
                                        .send("POST", "/reactions", body, "Idempotency-Key", user));
    }

    private static long waiting(List<CompletableFuture<Answer>> writes) {
        return writes.stream().filter(write -> !write.isDone()).count();
    }

    private static long proposed() {
        return Long.parseLong(Line.stage().redis().hget(COUNTS, "version"));
    }

    /** Asserts that events, version, count and users of the entity agree. */
    private static void assertWhole(long changes) {
        var redis = Line.stage().redis();
        int p = Stage.partition(POSTS, ENTITY);
        var users = redis.hgetall(RedisSchema.users(p, Stage.key(POSTS, ENTITY)));
        assertThat(redis.xlen(RedisSchema.outbox(p))).isEqualTo(changes);
        assertThat(redis.hget(RedisSchema.meta(p), "seq")).isEqualTo("" + changes);
        assertThat(redis.hget(COUNTS, "r:👍")).startsWith(changes + RedisSchema.SEPARATOR);
        assertThat(users.values()).filteredOn(own -> own.endsWith("👍")).hasSize((int) changes);
    }

    private static void assertAllDirty() {
        var redis = Line.stage().redis();
        assertThat(redis.keys("{*}:[cu]:*"))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(redis.pttl(key)).as(key).isEqualTo(-1));
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(Crowd.code(answer)).isEqualTo("unavailable");
    }

    private static long memory() {
        return Line.stage()
                .redis()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring(12)))
                .findFirst()
                .orElseThrow();
    }
}
