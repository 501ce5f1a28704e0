package dev.ovation.outbox.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.PartitionRow;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

class TakeoverBackoffTest {

    private final TakeoverBackoff backoff = new TakeoverBackoff();

    @Test
    void anUncontestedPartitionIsTakenAtOnce() {
        assertThat(backoff.mayTake(taken(0, "", 0), "ours")).isTrue();
        assertThat(backoff.mayTake(taken(1, "theirs", 0), "ours")).isTrue();
    }

    @Test
    void ourOwnServerIsNoContest() {
        backoff.attached(3, "ours");

        assertThat(backoff.mayTake(taken(8, "ours", 0), "ours")).isTrue();
        assertThat(backoff.contested()).isEmpty();
    }

    @Test
    void aServerThatRestartedIsNoContest() {
        backoff.attached(3, "before");

        assertThat(backoff.mayTake(taken(8, "before", 1), "after")).isTrue();
        assertThat(backoff.mayTake(taken(8, "theirs", 1), "after")).isTrue();
        assertThat(backoff.contested()).isEmpty();
    }

    @Test
    void aPartitionTakenByAnotherServerIsTakenBackAfterAPause() {
        backoff.attached(3, "ours");
        var row = taken(8, "theirs", 1);

        assertThat(backoff.mayTake(row, "ours")).isFalse();
        assertThat(backoff.contested()).containsExactly(3);
        Wait.until("the pause is over", () -> backoff.mayTake(row, "ours"));
    }

    private static PartitionRow taken(long epoch, String incarnation, long ageMillis) {
        return new PartitionRow(3, epoch, incarnation, ageMillis, 0, "");
    }
}
