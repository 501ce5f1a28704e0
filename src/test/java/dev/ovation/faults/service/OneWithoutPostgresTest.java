package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Two instances on one Redis; one of them cannot reach Postgres. */
@Beside
@ExtendWith(Pair.class)
class OneWithoutPostgresTest {

    private static final String ENTITY = "one without Postgres";

    /**
     * Enough for a high-cardinality entity, and few enough that the partial hash keeps all users.
     */
    private static final int FEW = 2 * Pair.CROWD;

    private final AtomicInteger others = new AtomicInteger();

    @Test
    void writesOfThatPartitionAreRefusedAndOthersContinue() throws Exception {
        assertThat(Pair.one().add(POSTS, ENTITY, "zoe", "👍").status()).isEqualTo(200);
        Pair.stage().awaitDrained();
        var stored = new HashSet<>(Set.of("zoe"));
        var going = new AtomicBoolean(true);
        var elsewhere = Stage.meanwhile(() -> writeThroughTheOther(going));
        try {
            writeThroughOne(stored);
        } finally {
            going.set(false);
        }
        stored.addAll(elsewhere.get());
        assertThat(Pair.stage().rows("select user_id from named_reaction where entity = ?", ENTITY))
                .containsExactlyInAnyOrderElementsOf(stored);
    }

    private void writeThroughOne(Set<String> stored) {
        Pair.postgresLink().cut();
        var refusal = new AtomicReference<Answer>();
        for (int n = 0; refusal.get() == null; n++) {
            // Until it detects the failure, the other's relay commits its proposals and publishes
            // that.
            var answer = Pair.one().add(POSTS, ENTITY, "one-" + n, "👍");
            if (answer.status() == 200) {
                stored.add("one-" + n);
            } else {
                refusal.set(answer);
            }
        }
        assertRefused(refusal.get());
        for (int n = 0; n < 7; n++) {
            assertRefused(Pair.one().add(POSTS, ENTITY, "refused-" + n, "👍"));
        }
        assertThat(Stage.own(Pair.one().read(POSTS, ENTITY, "zoe"))).containsExactly("👍");
        assertThat(Pair.one().get("/actuator/health/readiness").status()).isEqualTo(200);
        int soFar = others.get();
        Wait.until("writes through the other continue", () -> others.get() > soFar);

        Pair.postgresLink().mend();
        Wait.until(
                "its writes are accepted",
                () -> Pair.one().add(POSTS, ENTITY, "back", "👍", "if_exists=ok").status() == 200);
        stored.add("back");
    }

    private Set<String> writeThroughTheOther(AtomicBoolean going) {
        var users = new HashSet<String>();
        for (int n = 0; going.get(); n++) {
            String user = "other-" + n % FEW;
            var answer =
                    users.contains(user)
                            ? Pair.other().remove(POSTS, ENTITY, user, "👍")
                            : Pair.other().add(POSTS, ENTITY, user, "👍");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            if (!users.remove(user)) {
                users.add(user);
            }
            others.incrementAndGet();
        }
        return users;
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(Crowd.code(answer)).isEqualTo("unavailable");
        assertThat(answer.json().at("/outcome").asString()).isEqualTo("refused");
    }
}
