package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/** A relay pauses within its transaction, for longer than Postgres allows. */
@Beside
@ExtendWith(Pair.class)
class PausedRelayTest {

    @Test
    void writesContinueWhileAnotherProcessIsPausedInATransaction() throws Exception {
        String entity = "paused process";
        var rejectedBefore = rejected(entity);
        try (var paused = Children.start(Pair.stage())) {
            paused.add(POSTS, entity, "ann", "👍");
            Pair.stage().awaitDrained();
            try (var rows = Pair.stage().hold("select 1 from entity for update");
                    var one = Pair.failpoints().pauseAt(Point.AFTER_READ);
                    var other = Pair.failpointsOfTheOther().pauseAt(Point.AFTER_READ)) {
                var waiting = Stage.meanwhile(() -> paused.add(POSTS, entity, "ben", "👍"));
                Pair.stage().awaitProposed(POSTS, entity, 2);
                Pair.stage().awaitBlockedBy(rows); // the relay, within its transaction
                paused.pause();
                one.release();
                other.release();
                var late = Stage.meanwhile(() -> Pair.other().add(POSTS, entity, "cat", "👍"));
                Pair.stage().awaitProposed(POSTS, entity, 3);
                assertThat(late).isNotDone();
                Pair.stage().release();

                assertThat(late.get().status()).isEqualTo(200);
                assertThat(waiting).isNotDone();
                paused.resume();
                assertThat(waiting.get().status()).isEqualTo(200);
            }
            assertThat(paused.add(POSTS, entity, "dan", "👍").status()).isEqualTo(200);
        }
        assertApplied(entity, 4, rejectedBefore);
    }

    @Test
    void aRelayThatStandsStillBeforeItsCommitLosesItsSessionAndAppliesNothingTwice()
            throws Exception {
        String entity = "paused before commit";
        var rejectedBefore = rejected(entity);
        Pair.one().add(POSTS, entity, "ann", "👍");
        Pair.stage().awaitDrained();
        long failures = Stage.total(Pair.one(), "ovation_relay_failures_total");
        try (var other = Pair.failpointsOfTheOther().pauseAt(Point.AFTER_READ);
                var pause = Pair.failpoints().pauseAt(Point.BEFORE_COMMIT)) {
            var waiting = Stage.meanwhile(() -> Pair.one().add(POSTS, entity, "ben", "👍"));
            pause.awaitArrival();
            other.release();
            assertThat(Pair.other().add(POSTS, entity, "cat", "👍").status()).isEqualTo(200);
            assertThat(Pair.stage().stored(POSTS, entity, "ben"))
                    .as("applied by the other, as the base of cat's change")
                    .containsExactly("👍");
            pause.release();
            assertThat(waiting.get().status()).isEqualTo(200);
        }
        Wait.until(
                "its own commit has failed",
                () -> Stage.total(Pair.one(), "ovation_relay_failures_total") > failures);
        assertThat(Pair.one().add(POSTS, entity, "dan", "👍").status()).isEqualTo(200);
        assertApplied(entity, 4, rejectedBefore);
    }

    private static void assertApplied(String entity, long changes, List<String> rejectedBefore) {
        assertThat(Pair.stage().count(POSTS, entity, "👍")).isEqualTo(changes);
        assertThat(Pair.version(entity)).isEqualTo(changes);
        assertThat(rejected(entity)).isEqualTo(rejectedBefore);
    }

    /** Rejected events of the partition, which entities of other tests share. */
    private static List<String> rejected(String entity) {
        return Pair.stage()
                .rows(
                        "select epoch, seq from rejected_event where p = ? order by 1, 2",
                        Stage.partition(POSTS, entity));
    }
}
