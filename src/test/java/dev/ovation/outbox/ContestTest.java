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
        assertThat(contest.mayTake(taken(8, "ours", 0), "ours")).isTrue();
        assertThat(contest.contested()).isEmpty();
    }

    @Test
    void whatAnotherServerHasHadForAMinuteIsTakenAtOnce() {
        assertThat(contest.mayTake(taken(8, "theirs", 60_000), "ours")).isTrue();
    }

    @Test
    void whatAnotherServerJustTookIsTakenAfterAPause() {
        var row = taken(8, "theirs", 1);
        assertThat(contest.mayTake(row, "ours")).isFalse();
        Wait.until("the pause is over", () -> contest.mayTake(row, "ours"));
    }

    @Test
    void twoServersThatTakeInTurnAreNamed() {
        contest.mayTake(taken(8, "theirs", 1), "ours");
        assertThat(contest.contested()).isEmpty();
        contest.mayTake(taken(10, "theirs", 1), "ours");
        assertThat(contest.contested()).containsExactly(3);
    }

    private static PartitionRow taken(long epoch, String incarnation, long ageMillis) {
        return new PartitionRow(3, epoch, incarnation, ageMillis, 0, "");
    }
}
