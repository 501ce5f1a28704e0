package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.PartitionRow;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

class ContestTest {

    private final Contest contest = new Contest();

    @Test
    void whatNobodyHasIsTakenAtOnce() {
        assertThat(contest.mayTake(taken(0, "", 0), "ours")).isTrue();
        assertThat(contest.mayTake(taken(1, "theirs", 0), "ours")).isTrue();
    }

    @Test
    void ourOwnServerIsNoContest() {
        contest.attached(3, "ours");

        assertThat(contest.mayTake(taken(8, "ours", 0), "ours")).isTrue();
        assertThat(contest.contested()).isEmpty();
    }

    @Test
    void aServerThatRestartedIsNoContest() {
        contest.attached(3, "before");

        assertThat(contest.mayTake(taken(8, "before", 1), "after")).isTrue();
        assertThat(contest.mayTake(taken(8, "theirs", 1), "after")).isTrue();
        assertThat(contest.contested()).isEmpty();
    }

    @Test
    void whatAnotherServerGotAwayFromOursIsTakenAfterAPauseAndNamed() {
        contest.attached(3, "ours");
        var row = taken(8, "theirs", 1);

        assertThat(contest.mayTake(row, "ours")).isFalse();
        assertThat(contest.contested()).containsExactly(3);
        Wait.until("the pause is over", () -> contest.mayTake(row, "ours"));
    }

    private static PartitionRow taken(long epoch, String incarnation, long ageMillis) {
        return new PartitionRow(3, epoch, incarnation, ageMillis, 0, "");
    }
}
