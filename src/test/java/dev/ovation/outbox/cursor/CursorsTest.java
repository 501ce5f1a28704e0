package dev.ovation.outbox.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.outbox.cursor.Cursors.News;
import dev.ovation.outbox.cursor.Cursors.Position;
import dev.ovation.store.PartitionRow;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class CursorsTest {

    private static final int P = 1;

    private final Cursors cursors = new Cursors(3);

    @BeforeEach
    void atThreeOfEpochFive() {
        cursors.reset(P, 5, 3, List.of(2L));
    }

    @Test
    void whoAsksLateIsToldAtOnce() {
        assertThat(await(3)).isCompletedWithValue(News.APPLIED);
        assertThat(await(2)).isCompletedWithValue(News.REJECTED);
    }

    @Test
    void aWaiterIsToldWhenTheCursorReachesItsEvent() {
        var four = await(4);
        var five = await(5);
        assertThat(cursors.advance(P, 5, 3, 4, List.of())).isTrue();
        assertThat(four).isCompletedWithValue(News.APPLIED);
        assertThat(five).isNotDone();
    }

    @Test
    void whatARelayHasInHandIsKnownWithinItsEpoch() {
        cursors.seen(P, 5, 6);
        assertThat(cursors.isSeen(P, 5, 6)).isTrue();
        assertThat(cursors.isSeen(P, 5, 7)).isFalse();
        assertThat(cursors.isSeen(P, 4, 6)).isFalse();
        cursors.reset(P, 6, 0, List.of());
        assertThat(cursors.isSeen(P, 6, 6)).isFalse();
    }

    @Test
    void whatWasSeenInAnotherEpochIsNotInHand() {
        cursors.seen(P, 4, 6);
        assertThat(cursors.isSeen(P, 5, 6)).isFalse();
    }

    @Test
    void exceptionsTravelWithTheCursor() {
        var four = await(4);
        var five = await(5);
        cursors.advance(P, 5, 3, 6, List.of(5L));
        assertThat(four).isCompletedWithValue(News.APPLIED);
        assertThat(five).isCompletedWithValue(News.REJECTED);
        assertThat(await(5)).isCompletedWithValue(News.REJECTED);
        assertThat(await(6)).isCompletedWithValue(News.APPLIED);
    }

    @Test
    void allWhoWaitForOneEventAreTold() {
        var one = await(4);
        var other = await(4);
        cursors.advance(P, 5, 3, 4, List.of(4L));
        assertThat(List.of(one, other)).allMatch(it -> it.join() == News.REJECTED);
    }

    @Test
    void aStepThatBeginsBeyondWhatIsKnownIsNotTaken() {
        var five = await(5);
        assertThat(cursors.advance(P, 5, 4, 5, List.of())).isFalse();
        assertThat(five).isNotDone();
        assertThat(cursors.position(P)).isEqualTo(new Position(5, 3));
    }

    @Test
    void aStepThatBeginsBeforeWhatIsKnownIsTaken() {
        assertThat(cursors.advance(P, 5, 0, 7, List.of(2L, 6L))).isTrue();
        assertThat(cursors.position(P)).isEqualTo(new Position(5, 7));
        assertThat(await(6)).isCompletedWithValue(News.REJECTED);
    }

    @Test
    void oldStepsAndStepsOfOtherEpochsChangeNothing() {
        var four = await(4);
        assertThat(cursors.advance(P, 5, 0, 3, List.of(3L))).isTrue();
        assertThat(cursors.advance(P, 4, 0, 9, List.of())).isTrue();
        assertThat(cursors.advance(P, 6, 0, 9, List.of())).isTrue();
        assertThat(four).isNotDone();
        assertThat(await(3)).isCompletedWithValue(News.APPLIED);
    }

    @Test
    void waitersOfAClosedEpochAreToldSo() {
        var four = await(4);
        cursors.reset(P, 6, 9, List.of());
        assertThat(four).isCompletedWithValue(News.CLOSED);
        assertThat(await(4)).isCompletedWithValue(News.CLOSED);
        assertThat(cursors.await(P, 7, 1)).isCompletedWithValue(News.CLOSED);
    }

    @Test
    void attachingToTheSameEpochTellsThoseWhoWereReached() {
        var four = await(4);
        var five = await(5);
        var six = await(6);
        cursors.reset(P, 5, 5, List.of(2L, 4L));
        assertThat(four).isCompletedWithValue(News.REJECTED);
        assertThat(five).isCompletedWithValue(News.APPLIED);
        assertThat(six).isNotDone();
    }

    @Test
    void aNewEpochForgetsHowFarTheOldOneWas() {
        cursors.reset(P, 6, 0, List.of());
        assertThat(cursors.position(P)).isEqualTo(new Position(6, 0));
        assertThat(cursors.await(P, 6, 1)).isNotDone();
    }

    @Test
    void aNewEpochForgetsTheExceptionsOfTheOldOne() {
        cursors.reset(P, 6, 3, List.of());
        assertThat(cursors.await(P, 6, 2)).isCompletedWithValue(News.APPLIED);
        assertThat(cursors.rejected(P, 0)).isEmpty();
    }

    @Test
    void whoGaveUpIsForgottenAndNobodyElse() {
        var patient = await(4);
        await(4).cancel(false);
        cursors.forgetCancelled(P, 4);
        assertThat(cursors.waiting()).isEqualTo(1);
        cursors.advance(P, 5, 3, 4, List.of());
        assertThat(patient).isCompletedWithValue(News.APPLIED);
        assertThat(cursors.waiting()).isZero();
        assertThat(cursors.oldestWait()).isZero();
    }

    @Test
    void onlyAPartitionInWhichSomebodyWaitsIsOverdue() {
        assertThat(overdue(Duration.ZERO)).isEmpty();
        await(4);
        assertThat(overdue(Duration.ZERO)).containsExactly(P);
        assertThat(overdue(Duration.ofHours(1))).isEmpty();
        assertThat(cursors.oldestWait()).isPositive();
    }

    @Test
    void aRowThatLiesBehindIsThatOfARestoredPostgres() {
        assertThat(cursors.position(P).isAheadOf(row(4, 9))).isTrue();
        assertThat(cursors.position(P).isAheadOf(row(5, 2))).isTrue();
        assertThat(cursors.position(P).isAheadOf(row(5, 3))).isFalse();
        assertThat(cursors.position(P).isAheadOf(row(6, 0))).isFalse();
    }

    @Test
    void partitionsDoNotMeet() {
        var four = await(4);
        cursors.reset(P + 1, 5, 0, List.of());
        cursors.advance(P + 1, 5, 0, 9, List.of());
        assertThat(four).isNotDone();
    }

    private static PartitionRow row(long epoch, long applied) {
        return new PartitionRow(P, epoch, "id", 0, applied, "op");
    }

    private CompletableFuture<News> await(long seq) {
        return cursors.await(P, 5, seq);
    }

    private List<Integer> overdue(Duration patience) {
        var due = new ArrayList<Integer>();
        cursors.overdue(patience, due::add);
        return due;
    }
}
