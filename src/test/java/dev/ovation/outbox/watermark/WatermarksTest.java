package dev.ovation.outbox.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.outbox.watermark.Watermarks.CommitSignal;
import dev.ovation.outbox.watermark.Watermarks.WatermarkPosition;
import dev.ovation.store.PartitionRow;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class WatermarksTest {

    private static final int P = 1;

    private final Watermarks watermarks = new Watermarks(3);

    @BeforeEach
    void atThreeOfEpochFive() {
        watermarks.reset(P, 5, 3, List.of(2L));
    }

    @Test
    void aWaitForAnEventUpToTheWatermarkCompletesAtOnce() {
        assertThat(await(3)).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(await(2)).isCompletedWithValue(CommitSignal.REJECTED);
    }

    @Test
    void aWaiterCompletesWhenTheWatermarkReachesItsEvent() {
        var four = await(4);
        var five = await(5);
        assertThat(watermarks.advance(P, 5, 3, 4, List.of())).isTrue();
        assertThat(four).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(five).isNotDone();
    }

    @Test
    void eventsSeenByARelayAreKnownWithinTheirEpoch() {
        watermarks.seen(P, 5, 6);
        assertThat(watermarks.isSeen(P, 5, 6)).isTrue();
        assertThat(watermarks.isSeen(P, 5, 7)).isFalse();
        assertThat(watermarks.isSeen(P, 4, 6)).isFalse();
        watermarks.reset(P, 6, 0, List.of());
        assertThat(watermarks.isSeen(P, 6, 6)).isFalse();
    }

    @Test
    void eventsSeenInAnotherEpochDoNotCount() {
        watermarks.seen(P, 4, 6);
        assertThat(watermarks.isSeen(P, 5, 6)).isFalse();
    }

    @Test
    void exceptionsTravelWithTheCursor() {
        var four = await(4);
        var five = await(5);
        watermarks.advance(P, 5, 3, 6, List.of(5L));
        assertThat(four).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(five).isCompletedWithValue(CommitSignal.REJECTED);
        assertThat(await(5)).isCompletedWithValue(CommitSignal.REJECTED);
        assertThat(await(6)).isCompletedWithValue(CommitSignal.APPLIED);
    }

    @Test
    void allWaitersOfOneEventComplete() {
        var one = await(4);
        var other = await(4);
        watermarks.advance(P, 5, 3, 4, List.of(4L));
        assertThat(List.of(one, other)).allMatch(it -> it.join() == CommitSignal.REJECTED);
    }

    @Test
    void anUpdateThatBeginsBeyondTheWatermarkIsIgnored() {
        var five = await(5);
        assertThat(watermarks.advance(P, 5, 4, 5, List.of())).isFalse();
        assertThat(five).isNotDone();
        assertThat(watermarks.position(P)).isEqualTo(new WatermarkPosition(5, 3));
    }

    @Test
    void anUpdateThatBeginsBeforeTheWatermarkIsApplied() {
        assertThat(watermarks.advance(P, 5, 0, 7, List.of(2L, 6L))).isTrue();
        assertThat(watermarks.position(P)).isEqualTo(new WatermarkPosition(5, 7));
        assertThat(await(6)).isCompletedWithValue(CommitSignal.REJECTED);
    }

    @Test
    void oldStepsAndStepsOfOtherEpochsChangeNothing() {
        var four = await(4);
        assertThat(watermarks.advance(P, 5, 0, 3, List.of(3L))).isTrue();
        assertThat(watermarks.advance(P, 4, 0, 9, List.of())).isTrue();
        assertThat(watermarks.advance(P, 6, 0, 9, List.of())).isTrue();
        assertThat(four).isNotDone();
        assertThat(await(3)).isCompletedWithValue(CommitSignal.APPLIED);
    }

    @Test
    void waitersOfAClosedEpochCompleteAsClosed() {
        var four = await(4);
        watermarks.reset(P, 6, 9, List.of());
        assertThat(four).isCompletedWithValue(CommitSignal.CLOSED);
        assertThat(await(4)).isCompletedWithValue(CommitSignal.CLOSED);
        assertThat(watermarks.await(P, 7, 1)).isCompletedWithValue(CommitSignal.CLOSED);
    }

    @Test
    void attachingToTheSameEpochCompletesReachedWaiters() {
        var four = await(4);
        var five = await(5);
        var six = await(6);
        watermarks.reset(P, 5, 5, List.of(2L, 4L));
        assertThat(four).isCompletedWithValue(CommitSignal.REJECTED);
        assertThat(five).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(six).isNotDone();
    }

    @Test
    void aNewEpochForgetsHowFarTheOldOneWas() {
        watermarks.reset(P, 6, 0, List.of());
        assertThat(watermarks.position(P)).isEqualTo(new WatermarkPosition(6, 0));
        assertThat(watermarks.await(P, 6, 1)).isNotDone();
    }

    @Test
    void aNewEpochForgetsTheExceptionsOfTheOldOne() {
        watermarks.reset(P, 6, 3, List.of());
        assertThat(watermarks.await(P, 6, 2)).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(watermarks.rejected(P, 0)).isEmpty();
    }

    @Test
    void onlyCancelledWaitersAreRemoved() {
        var patient = await(4);
        await(4).cancel(false);
        watermarks.forgetCancelled(P, 4);
        assertThat(watermarks.waiting()).isEqualTo(1);
        watermarks.advance(P, 5, 3, 4, List.of());
        assertThat(patient).isCompletedWithValue(CommitSignal.APPLIED);
        assertThat(watermarks.waiting()).isZero();
        assertThat(watermarks.oldestWait()).isZero();
    }

    @Test
    void onlyAPartitionWithWaitersIsOverdue() {
        assertThat(overdue(Duration.ZERO)).isEmpty();
        await(4);
        assertThat(overdue(Duration.ZERO)).containsExactly(P);
        assertThat(overdue(Duration.ofHours(1))).isEmpty();
        assertThat(watermarks.oldestWait()).isPositive();
    }

    @Test
    void aRowThatLiesBehindIsThatOfARestoredPostgres() {
        assertThat(watermarks.position(P).isAheadOf(row(4, 9))).isTrue();
        assertThat(watermarks.position(P).isAheadOf(row(5, 2))).isTrue();
        assertThat(watermarks.position(P).isAheadOf(row(5, 3))).isFalse();
        assertThat(watermarks.position(P).isAheadOf(row(6, 0))).isFalse();
    }

    @Test
    void partitionsDoNotMeet() {
        var four = await(4);
        watermarks.reset(P + 1, 5, 0, List.of());
        watermarks.advance(P + 1, 5, 0, 9, List.of());
        assertThat(four).isNotDone();
    }

    private static PartitionRow row(long epoch, long applied) {
        return new PartitionRow(P, epoch, "id", 0, applied, "op");
    }

    private CompletableFuture<CommitSignal> await(long seq) {
        return watermarks.await(P, 5, seq);
    }

    private List<Integer> overdue(Duration patience) {
        var due = new ArrayList<Integer>();
        watermarks.overdue(patience, due::add);
        return due;
    }
}
