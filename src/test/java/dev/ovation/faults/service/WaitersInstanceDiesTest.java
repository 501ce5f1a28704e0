package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.concurrent.ExecutionException;

/** An instance is killed while its client waits for a commit that has not happened yet. */
@Beside
@ExtendWith(Pair.class)
class WaitersInstanceDiesTest {

    private static final String ENTITY = "orphan";

    @Test
    void itsChangeIsCommittedByTheOtherWhichKnowsTheAnswer() throws Exception {
        Pair.other().add(POSTS, ENTITY, "zoe", "👍");
        Pair.stage().awaitDrained();
        try (var service = Children.start(Pair.stage());
                var _ = Pair.stage().holdRelays()) {
            var waiting = Stage.meanwhile(() -> keyed(service.port()));
            Pair.stage().awaitProposed(POSTS, ENTITY, 2);
            var resting = Stage.meanwhile(() -> Pair.other().add(POSTS, ENTITY, "ann", "👍"));
            service.kill();
            assertThatThrownBy(waiting::get).isInstanceOf(ExecutionException.class);
            assertThat(resting).as("its base is not committed").isNotDone();
            Pair.stage().release();

            assertThat(Crowd.code(resting.get())).isEqualTo("reaction-already-exists");
            Pair.stage().awaitDrained();
            assertThat(keyed(Pair.other().port()).body()).isEqualTo("{\"status\":\"ok\"}");
        }
        assertThat(Pair.version(ENTITY)).isEqualTo(2);
        assertThat(Pair.stage().stored(POSTS, ENTITY, "ann")).containsExactly("👍");
    }

    private static Instance.Answer keyed(int port) {
        String body = Instance.body(POSTS, ENTITY, "ann", "👍");
        return Instance.sendTo(port, "POST", "/reactions", body, "Idempotency-Key", "orphan");
    }
}
