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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/**
 * An instance loads an entity and pauses before or after it sends the snapshot to Redis. Meanwhile
 * another instance loads the entity, changes it, and commits, and Redis evicts it.
 */
@Beside
@ExtendWith(Pair.class)
class StaleLoaderTest {

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
    @CsvSource({
        "AFTER_LOAD_READ, evicted",
        "AFTER_LOAD_READ, loaded again",
        "BEFORE_INSTALL, evicted",
        "BEFORE_INSTALL, loaded again"
    })
    void aReaderThatWasOvertakenInstallsNothing(Point point, String meanwhile) throws Exception {
        String entity = "read " + point + ' ' + meanwhile;
        seed(entity);
        long refused = refused();
        try (var pause = Pair.failpoints().pauseAt(point)) {
            var stale = Stage.meanwhile(() -> Pair.one().read(POSTS, entity, "ben"));
            pause.awaitArrival();
            changeAndEvict(entity, meanwhile);
            pause.release();
            assertThat(Stage.counts(stale.get()))
                    .as("the state at the time of the request")
                    .isEqualTo(shown(1));
        }
        Wait.until("the installation is refused", () -> refused() > refused);
        assertThat(isHot(entity)).isEqualTo(meanwhile.equals("loaded again"));
        assertEverybodySees(entity, 2);
    }

    @ParameterizedTest
    @CsvSource({
        "AFTER_LOAD_READ, evicted",
        "AFTER_LOAD_READ, loaded again",
        "BEFORE_INSTALL, evicted",
        "BEFORE_INSTALL, loaded again"
    })
    void aWriterThatWasOvertakenIsJudgedOnTheStateOfToday(Point point, String meanwhile)
            throws Exception {
        String entity = "write " + point + ' ' + meanwhile;
        seed(entity);
        long refused = refused();
        long conflicts = conflicts();
        try (var pause = Pair.failpoints().pauseAt(point)) {
            var stale = Stage.meanwhile(() -> Pair.one().add(POSTS, entity, "cat", "👍"));
            pause.awaitArrival();
            changeAndEvict(entity, meanwhile);
            pause.release();
            assertThat(stale.get().status()).isEqualTo(200);
        }
        assertThat(refused())
                .as("a second acknowledgement of the same event may refuse the next load too")
                .isGreaterThan(refused);
        assertThat(conflicts()).as("nothing was proposed on the old state").isEqualTo(conflicts);
        assertEverybodySees(entity, 3);
    }

    private static void seed(String entity) {
        assertThat(Pair.other().add(POSTS, entity, "ann", "👍").status()).isEqualTo(200);
        Pair.stage().evict(entity);
    }

    private static void changeAndEvict(String entity, String meanwhile) {
        assertThat(hasty.add(POSTS, entity, "ben", "👍").status()).isEqualTo(200);
        Pair.stage().evict(entity);
        if (meanwhile.equals("loaded again")) {
            Wait.until(
                    "it is hot again",
                    () -> {
                        assertThat(hasty.read(POSTS, entity, "ben").status()).isEqualTo(200);
                        return isHot(entity);
                    });
        }
    }

    private static boolean isHot(String entity) {
        var key = Stage.key(POSTS, entity);
        String counts = RedisSchema.counts(Stage.partition(POSTS, entity), key);
        return Pair.stage().redis().exists(counts) == 1;
    }

    private static long refused() {
        return Stage.total(Pair.one(), "ovation_hot_loads_total", "posts", "lost");
    }

    private static long conflicts() {
        return Pair.stage().rows("select seq from rejected_event").size();
    }

    private static Map<String, Long> shown(long count) {
        return Map.of("👍", count);
    }

    private static void assertEverybodySees(String entity, long count) {
        assertThat(Stage.counts(Pair.one().read(POSTS, entity, null))).isEqualTo(shown(count));
        assertThat(Stage.counts(Pair.other().read(POSTS, entity, null))).isEqualTo(shown(count));
        assertThat(Pair.stage().count(POSTS, entity, "👍")).isEqualTo(count);
    }
}
