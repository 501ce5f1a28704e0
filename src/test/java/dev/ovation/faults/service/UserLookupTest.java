package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Installations of looked-up users: later scripts find them, and only beside their own state. */
@Beside
@ExtendWith(Pair.class)
class UserLookupTest {

    private static final String ENTITY = "crowded by readers";

    @Test
    void aWriteContinuesOnlyAfterTheInstallationOfItsLookUpIsSent() throws Exception {
        for (int i = 0; i <= Pair.CROWD; i++) {
            Pair.one().add(POSTS, ENTITY, "user-" + i, "👍");
        }
        Pair.stage().evict(ENTITY); // its filter answers for strangers until then
        // Redis may have lost its scripts. A load that met this is repeated with the viewer, and
        // then no look-up follows.
        var readers = new AtomicInteger();
        Wait.until(
                "Redis has the script",
                () -> {
                    long earlier = lookups();
                    String reader = "reader-" + readers.incrementAndGet();
                    Pair.one().read(POSTS, ENTITY, null); // loads the entity without a user
                    Pair.one().read(POSTS, ENTITY, reader);
                    return lookups() == earlier + 1
                            && Pair.stage().redis().hexists(users(), "u:" + reader);
                });
        long before = lookups();
        try (var pause = Pair.failpoints().pauseAt(Point.BEFORE_INSTALL)) {
            var write = Stage.meanwhile(() -> Pair.one().add(POSTS, ENTITY, "newcomer", "👍"));
            pause.awaitArrival();
            for (int i = 0; i < 20; i++) { // time in which a read would return too early
                Pair.one().read(POSTS, ENTITY, null);
            }
            pause.release();
            assertThat(write.get().status()).isEqualTo(200);
        }
        assertThat(lookups()).isEqualTo(before + 1);
    }

    /** Else the user's own reactions, from Postgres, would exceed the counts, from Redis. */
    @Test
    void aUserIsNotShownBesideCountsThatAnImportReplaced() {
        String entity = "crowded and imported";
        for (int i = 0; i <= Pair.CROWD; i++) {
            Pair.one().add(POSTS, entity, "user-" + i, "👍");
        }
        Pair.stage().evict(entity);
        Pair.other().read(POSTS, entity, null);
        var before = op(entity);
        try (var _ = Pair.failpoints().pauseAt(Point.AFTER_COMMIT);
                var _ = Pair.failpointsOfTheOther().pauseAt(Point.AFTER_COMMIT)) {
            String file = Imports.HEADER + POSTS + "," + entity + ",newcomer,🎉,1000\n";
            Imports.send(Pair.one(), "kind=reactions", Imports.CSV, file);
            Wait.until("it is committed", () -> !op(entity).equals(before));

            var shown = Pair.other().read(POSTS, entity, "newcomer");
            assertThat(Stage.own(shown)).containsExactly("🎉");
            assertThat(Stage.counts(shown)).containsEntry("🎉", 1L);
        }
    }

    private static List<String> op(String entity) {
        return Pair.stage().rows("select last_op from entity where entity = ?", entity);
    }

    private static String users() {
        return RedisSchema.users(Stage.partition(POSTS, ENTITY), Stage.key(POSTS, ENTITY));
    }

    private static long lookups() {
        return Stage.total(Pair.one(), "ovation_hot_lookups_total", "\"posts\"", "\"user_miss\"");
    }
}
