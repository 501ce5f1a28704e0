package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

/** A state of an entity is evicted from Redis, and its load races the commits that follow. */
@Beside
@ExtendWith(Pair.class)
class LoadRacingACommitTest {

    /** Takes the lease from the instance that pauses. */
    private static Instance hasty;

    @BeforeAll
    static void startHasty() {
        hasty = Pair.startHasty();
    }

    @AfterAll
    static void stopHasty() {
        hasty.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Point.class,
            names = {"AFTER_LOAD_READ", "BEFORE_INSTALL"})
    void aLoadThatBeganAfterARejectionAndBeforeTheNextCommitInstallsNothing(Point point)
            throws Exception {
        String entity = "rejected " + point;
        Pair.other().add(POSTS, entity, "ann", "👍");
        Pair.stage().awaitDrained();
        try (var _ = Pair.stage().holdRelays()) {
            Pair.stage().propose(POSTS, entity, "poison\0", "🔥");
            var ben = Stage.meanwhile(() -> Pair.one().add(POSTS, entity, "ben", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 3);
            try (var pause = Pair.failpoints().pauseAt(point)) {
                Pair.stage().release();
                pause.awaitArrival(); // the rejection is published, so ben's write reruns and loads
                assertThat(hasty.add(POSTS, entity, "cat", "👍").status()).isEqualTo(200);
                Pair.stage().awaitDrained();
            }
            assertThat(ben.get().status()).isEqualTo(200);
        }
        assertShown(entity, 3);
    }

    @ParameterizedTest
    @EnumSource(
            value = Point.class,
            names = {"AFTER_LOAD_READ", "BEFORE_INSTALL"})
    void aLoadBegunBeforeTheCommitOfADeletedStateInstallsNothing(Point point) throws Exception {
        String entity = "deleted " + point;
        Pair.other().add(POSTS, entity, "ann", "👍");
        Pair.stage().awaitDrained();
        try (var _ = Pair.stage().holdRelays();
                var pause = Pair.failpoints().pauseAt(point)) {
            var ben = Stage.meanwhile(() -> Pair.other().add(POSTS, entity, "ben", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 2);
            delete(entity);
            var loading = Stage.meanwhile(() -> Pair.one().read(POSTS, entity, null));
            pause.awaitArrival();
            Pair.stage().release();
            assertThat(ben.get().status()).isEqualTo(200);
            Pair.stage().awaitDrained();
            pause.release();
            assertThat(loading.get().status()).isEqualTo(200);
        }
        assertShown(entity, 2);
    }

    @Test
    void aStateThatWasInstalledBeforeTheCommitIsTakenOutByIt() throws Exception {
        String entity = "installed before";
        Pair.other().add(POSTS, entity, "ann", "👍");
        Pair.stage().awaitDrained();
        try (var _ = Pair.stage().holdRelays()) {
            var ben = Stage.meanwhile(() -> Pair.other().add(POSTS, entity, "ben", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 2);
            delete(entity);
            Wait.until(
                    "a read installs it", // unless a second acknowledgement takes its lease
                    () -> {
                        assertThat(Pair.one().read(POSTS, entity, null).status()).isEqualTo(200);
                        return Pair.stage().redis().exists(counts(entity)) == 1;
                    });
            Pair.stage().release();
            assertThat(ben.get().status()).isEqualTo(200);
        }
        Pair.stage().awaitDrained();
        assertShown(entity, 2);
    }

    private static void delete(String entity) {
        int p = Stage.partition(POSTS, entity);
        String users = RedisSchema.users(p, Stage.key(POSTS, entity));
        assertThat(Pair.stage().redis().unlink(counts(entity), users)).isEqualTo(2);
    }

    private static String counts(String entity) {
        return RedisSchema.counts(Stage.partition(POSTS, entity), Stage.key(POSTS, entity));
    }

    private static void assertShown(String entity, long count) {
        for (var instance : List.of(Pair.one(), Pair.other())) {
            assertThat(Stage.counts(instance.read(POSTS, entity, "reader")))
                    .isEqualTo(Map.of("👍", count));
            Wait.until(
                    "each instance shows it",
                    () ->
                            Stage.counts(instance.read(POSTS, entity, null))
                                    .equals(Map.of("👍", count)));
        }
        assertThat(Pair.stage().count(POSTS, entity, "👍")).isEqualTo(count);
    }
}
