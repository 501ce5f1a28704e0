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
 * The race of {@link StaleLoaderTest} for one user of an entity that is loaded partially: an
 * instance looks the user up and pauses; meanwhile the user reacts through another.
 */
@Beside
@ExtendWith(Pair.class)
class StaleUserLookupTest {

    private static final String ENTITY = "crowded";

    /** Takes the lease from the instance that pauses. */
    private static Instance hasty;

    @BeforeAll
    static void aCrowdReacts() {
        hasty = Pair.startHasty();
        for (int i = 0; i <= Pair.CROWD; i++) {
            react("user-" + i);
        }
    }

    @AfterAll
    static void stopHasty() {
        hasty.close();
    }

    @ParameterizedTest
    @CsvSource({
        "AFTER_LOAD_READ, the entity was evicted",
        "AFTER_LOAD_READ, the entity was loaded again",
        "AFTER_LOAD_READ, the user alone had to leave",
        "BEFORE_INSTALL, the entity was evicted",
        "BEFORE_INSTALL, the entity was loaded again",
        "BEFORE_INSTALL, the user alone had to leave"
    })
    void aLookupThatWasOvertakenInstallsNothing(Point point, String meanwhile) throws Exception {
        String user = point + " " + meanwhile;
        Pair.stage().evict(ENTITY);
        awaitLoaded();
        try (var pause = Pair.failpoints().pauseAt(point)) {
            var stale = Stage.meanwhile(() -> Pair.one().read(POSTS, ENTITY, user));
            pause.awaitArrival();
            react(user);
            forget(user, meanwhile);
            pause.release();
            assertThat(Stage.own(stale.get())).as("the look-up runs again").containsExactly("👍");
        }
        assertThat(hot().getOrDefault("u:" + user, "👍")).as("installed, if at all").endsWith("👍");
        assertThat(Stage.own(Pair.one().read(POSTS, ENTITY, user))).containsExactly("👍");
        var shown = Pair.unrefused(() -> hasty.read(POSTS, ENTITY, user));
        assertThat(Stage.own(shown)).containsExactly("👍");
        assertThat(Pair.stage().stored(POSTS, ENTITY, user)).containsExactly("👍");
    }

    private static void react(String user) {
        var answer = Pair.unrefused(() -> hasty.add(POSTS, ENTITY, user, "👍"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private static void forget(String user, String how) {
        if (how.equals("the user alone had to leave")) {
            Pair.stage().awaitDrained();
            assertThat(Pair.stage().redis().hdel(users(), "u:" + user)).isEqualTo(1);
            return;
        }
        Pair.stage().evict(ENTITY);
        if (how.equals("the entity was loaded again")) {
            awaitLoaded();
        }
    }

    /**
     * Reads until it is loaded partially: a load that outlives its short lease installs nothing.
     */
    private static void awaitLoaded() {
        Wait.until(
                "it is loaded partially",
                () -> {
                    hasty.read(POSTS, ENTITY, null);
                    return "0".equals(hot().get("complete"));
                });
    }

    private static String users() {
        return RedisSchema.users(Stage.partition(POSTS, ENTITY), Stage.key(POSTS, ENTITY));
    }

    private static Map<String, String> hot() {
        return Pair.stage().redis().hgetall(users());
    }
}
