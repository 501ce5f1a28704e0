package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Keys are deleted by hand; of an entity, "c" is its count hash and "u" its user hash. */
@Beside
@ExtendWith(Line.class)
class DeletedByHandTest {

    @Test
    void delOfADirtyCountHash(TestInfo test) throws Exception {
        deleteWhileDirty(test.getDisplayName(), "c");
    }

    @Test
    void delOfADirtyUserHash(TestInfo test) throws Exception {
        deleteWhileDirty(test.getDisplayName(), "u");
    }

    @Test
    void delOfBothHashesWhileDirty(TestInfo test) throws Exception {
        deleteWhileDirty(test.getDisplayName(), "c", "u");
    }

    @Test
    void evictionOfOneOfTheTwoHashes(TestInfo test) {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        for (String half : new String[] {"c", "u"}) {
            Line.stage().awaitDrained();
            delete(entity, half);
            assertThat(Stage.own(service().read(POSTS, entity, "ann"))).containsExactly("👍");
            awaitLoaded(entity, half);
            delete(entity, half);
            assertThat(service().add(POSTS, entity, half, "👍").status()).isEqualTo(200);
        }
        Line.assertCounted(entity, 3);
    }

    @Test
    void theCountHashIsLoadedAlthoughTheUserHashHasNoTtl(TestInfo test) {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        Line.stage().redis().persist(hash(entity, "u"));
        delete(entity, "c");

        assertThat(service().add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    /** A load that fails because the other half is dirty is retried after increasing pauses. */
    @Test
    void aHalfDirtyEntityIsNotLoadedWithoutEndUntilItsCommit(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ben;
        CompletableFuture<Answer> cat;
        try (var _ = Line.stage().holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            delete(entity, "c");
            long before = lookups();
            long start = System.nanoTime();
            cat = Stage.meanwhile(() -> service().add(POSTS, entity, "cat", "👍"));
            Wait.until("the load was retried often", () -> lookups() >= before + 20);
            // Pauses of 1, 2, 4, 8, 16 and then 32 ms: the first six attempts may come at once.
            long loads = lookups() - before;
            assertThat(loads).isLessThan(8 + (System.nanoTime() - start) / 32_000_000);
        }
        assertThat(ben.get().status()).isEqualTo(200);
        assertThat(cat.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 3);
    }

    @Test
    void delOfAnOutboxWithUnappliedEvents(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ben;
        try (var _ = Line.stage().holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            delete(RedisSchema.outbox(partition(entity)));
        }
        assertThat(ben.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    @Test
    void delOfAnOutboxWithTheFirstEventsOfAnEpoch(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        Line.stage().redis().flushall();
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ann;
        try (var _ = Line.stage().holdRelays()) {
            ann = Stage.meanwhile(() -> service().add(POSTS, entity, "ann", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 1);
            delete(RedisSchema.outbox(partition(entity)));
        }
        assertThat(ann.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 1);
    }

    @Test
    void delOfAnOutboxWithNothingUnapplied(TestInfo test) {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        delete(RedisSchema.outbox(partition(entity)));

        assertThat(service().add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    @Test
    void delOfTheLastOfSeveralEvents(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        String meta = RedisSchema.meta(partition(entity));
        CompletableFuture<Answer> ann;
        CompletableFuture<Answer> ben;
        try (var _ = Line.stage().holdRelays()) {
            ann = Stage.meanwhile(() -> service().add(POSTS, entity, "ann", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 1);
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            var redis = Line.stage().redis();
            String last = redis.hget(meta, "epoch") + "-" + redis.hget(meta, "seq");
            assertThat(redis.xdel(RedisSchema.outbox(partition(entity)), last)).isEqualTo(1);
        }
        assertThat(ann.get().status()).isEqualTo(200);
        assertThat(ben.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    @Test
    void delOfAMeta(TestInfo test) {
        String entity = test.getDisplayName();
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        awaitOldEpoch(partition(entity));
        delete(RedisSchema.meta(partition(entity)));

        assertThat(service().add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Line.assertCounted(entity, 2);
    }

    /** Changes that were proposed before the deletion, and after it, are both applied. */
    private static void deleteWhileDirty(String entity, String... halves) throws Exception {
        service().add(POSTS, entity, "ann", "👍");
        Line.stage().awaitDrained();
        CompletableFuture<Answer> ben;
        CompletableFuture<Answer> cat;
        try (var _ = Line.stage().holdRelays()) {
            ben = Stage.meanwhile(() -> service().add(POSTS, entity, "ben", "👍"));
            Line.stage().awaitProposed(POSTS, entity, 2);
            Arrays.stream(halves).forEach(half -> delete(entity, half));
            cat = Stage.meanwhile(() -> service().add(POSTS, entity, "cat", "👍"));
            assertThat(Stage.own(service().read(POSTS, entity, "ann"))).containsExactly("👍");
        }
        assertThat(ben.get().status()).isEqualTo(200);
        assertThat(cat.get().status()).isEqualTo(200);
        Line.assertCounted(entity, 3);
    }

    /**
     * Repeats the read, because a reader does not wait for the installation of the loaded state.
     */
    private static void awaitLoaded(String entity, String half) {
        Wait.until(
                "it is loaded",
                () -> {
                    service().read(POSTS, entity, "ann");
                    return Line.stage().redis().exists(hash(entity, half)) == 1;
                });
    }

    /** Another instance may still be opening a younger epoch, and gets time for it. */
    private static void awaitOldEpoch(int p) {
        Wait.until(
                "its epoch is older than a second",
                () ->
                        Line.stage()
                                .rows(
                                        """
                                        select taken_at < clock_timestamp() - interval '1 s'
                                        from   partition where p = ?
                                        """,
                                        p)
                                .equals(List.of("t")));
    }

    private static void delete(String entity, String half) {
        delete(hash(entity, half));
    }

    private static void delete(String key) {
        assertThat(Line.stage().redis().del(key)).as(key).isEqualTo(1);
    }

    private static String hash(String entity, String half) {
        var key = Stage.key(POSTS, entity);
        return half.equals("c")
                ? RedisSchema.counts(partition(entity), key)
                : RedisSchema.users(partition(entity), key);
    }

    private static int partition(String entity) {
        return Stage.partition(POSTS, entity);
    }

    private static long lookups() {
        return Stage.total(service(), "ovation_hot_loads_total", "result=\"dirty\"");
    }

    private static Instance service() {
        return Line.service();
    }
}
