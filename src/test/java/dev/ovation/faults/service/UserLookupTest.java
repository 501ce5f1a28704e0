package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.Failpoints.Point;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nobody waits for the installation of users who were looked up; scripts that follow find them. */
@ExtendWith(Pair.class)
class UserLookupTest {

    private static final String ENTITY = "crowded by readers";

    @Test
    void whoLookedAUserUpComesBackAfterTheInstallationIsSent() throws Exception {
        for (int i = 0; i <= Pair.CROWD; i++) {
            Pair.one().add(POSTS, ENTITY, "user-" + i, "👍");
        }
        Pair.one().read(POSTS, ENTITY, "reader"); // from now on Redis knows the script
        long before = lookups();
        try (var pause = Pair.failpoints().pauseAt(Point.BEFORE_INSTALL)) {
            var write = Stage.meanwhile(() -> Pair.one().add(POSTS, ENTITY, "newcomer", "👍"));
            pause.awaitArrival();
            for (int i = 0; i < 20; i++) { // the time to come back too early
                Pair.one().read(POSTS, ENTITY, null);
            }
            pause.release();
            assertThat(write.get().status()).isEqualTo(200);
        }
        assertThat(lookups()).isEqualTo(before + 1);
    }

    private static long lookups() {
        return Pair.metric(Pair.one(), "ovation_hot_lookups_total", "\"posts\"", "\"user_miss\"");
    }
}
