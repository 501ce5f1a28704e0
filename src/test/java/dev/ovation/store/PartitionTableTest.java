package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import java.time.Duration;
import java.util.List;

class PartitionTableTest {

    private final StoreFixture store = new StoreFixture();
    private final PartitionTable partitions = new PartitionTable(store.jdbc, Shards.undivided());

    @Test
    void partitionsStartWithoutAnEpochTakenLongAgo() {
        initialise(3);

        assertThat(partitions.all()).extracting(PartitionRow::p).containsExactly(0, 1, 2);
        PartitionRow row = partitions.all().getFirst();
        assertThat(row)
                .extracting(
                        PartitionRow::epoch,
                        PartitionRow::incarnation,
                        PartitionRow::appliedSeq,
                        PartitionRow::appliedOp)
                .containsExactly(0L, "", 0L, "");
        assertThat(row.ageMillis()).isGreaterThan(Duration.ofDays(365).toMillis());
    }

    @Test
    void theSameNumberLeavesThemAsTheyAre() {
        initialise(2);
        succeed(0, 0, 0, 1);
        initialise(2);

        assertThat(partitions.all()).extracting(PartitionRow::epoch).containsExactly(1L, 0L);
    }

    @Test
    void anotherNumberIsTakenWhileThereIsNoData() {
        initialise(64);
        initialise(3);
        assertThat(partitions.all()).hasSize(3);

        initialise(64);
        assertThat(partitions.all()).hasSize(64);
    }

    @Test
    void anotherNumberIsRefusedOnceThereIsData() {
        initialise(3);
        store.jdbc.update("insert into named_entity values ('posts', '1', 1, 'op', 5)");

        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> initialise(4))
                .withMessage(
                        "Property ovation.partitions with value '4' is invalid: The database holds"
                                + " data in 3 partitions. Set the value to 3.");
        initialise(3);
        assertThat(partitions.all()).hasSize(3);
    }

    @Test
    void epochsGrowAlthoughTheNumberOfPartitionsChanged() {
        initialise(3);
        succeed(2, 0, 0, 1);
        succeed(2, 1, 0, 2);
        initialise(4);

        for (PartitionRow row : partitions.all()) {
            assertThat(row.epoch()).isGreaterThanOrEqualTo(2);
            succeed(row.p(), row.epoch(), row.appliedSeq(), row.epoch() + 1);
        }
    }

    @Test
    void rowsAreLockedInOrder() {
        initialise(9);

        assertThat(store.transaction(() -> partitions.lock(List.of(7, 2, 5, 99))))
                .extracting(PartitionRow::p)
                .containsExactly(2, 5, 7);
    }

    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void rowsLockedByAnotherTransactionAreSkipped() {
        initialise(5);

        store.transaction(
                () -> {
                    partitions.lock(List.of(1, 3));
                    assertThat(store.transaction(() -> partitions.lock(List.of(0, 1, 2, 3, 4))))
                            .extracting(PartitionRow::p)
                            .containsExactly(0, 2, 4);
                });
        assertThat(store.transaction(() -> partitions.lock(List.of(1, 3)))).hasSize(2);
    }

    @Test
    void cursorsMove() {
        initialise(3);
        succeed(0, 0, 0, 4);
        succeed(2, 0, 0, 4);

        advance(new Advance(2, 4, 0, 10, "op10"), new Advance(0, 4, 0, 7, "op7"));
        advance(new Advance(2, 4, 10, 11, "op11"));

        assertThat(partitions.all())
                .extracting(PartitionRow::appliedSeq)
                .containsExactly(7L, 0L, 11L);
        assertThat(partitions.all())
                .extracting(PartitionRow::appliedOp)
                .containsExactly("op7", "", "op11");
    }

    @Test
    void anAdvanceFromAWrongPositionMovesNoWatermark() {
        initialise(2);
        succeed(0, 0, 0, 1);
        succeed(1, 0, 0, 1);

        for (var wrong :
                List.of(
                        new Advance(1, 1, 1, 2, "op"),
                        new Advance(1, 2, 0, 2, "op"),
                        new Advance(1, 0, 0, 2, "op"),
                        new Advance(9, 1, 0, 2, "op"))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> advance(new Advance(0, 1, 0, 7, "op7"), wrong));
        }
        assertThat(partitions.all()).extracting(PartitionRow::appliedSeq).containsExactly(0L, 0L);
    }

    @Test
    void anEpochIsFollowedByOneThatStartsAtZero() {
        initialise(2);
        succeed(1, 0, 0, 1);
        advance(new Advance(1, 1, 0, 12, "op12"));
        store.transaction(
                () -> partitions.succeed(List.of(new Succession(1, 1, 12, 5, "incarnation"))));

        PartitionRow row = partitions.all().getLast();
        assertThat(row)
                .extracting(
                        PartitionRow::epoch,
                        PartitionRow::incarnation,
                        PartitionRow::appliedSeq,
                        PartitionRow::appliedOp)
                .containsExactly(5L, "incarnation", 0L, "");
        assertThat(row.ageMillis()).isBetween(0L, Duration.ofHours(1).toMillis());
        assertThat(partitions.all().getFirst().epoch()).isZero();
    }

    @Test
    void theAgeOfAnEpochFollowsTheClockOfPostgres() {
        initialise(1);
        succeed(0, 0, 0, 1);
        // A day has 23 or 25 hours twice a year.
        store.jdbc.update("update partition set taken_at = taken_at - interval '24 hours'");

        assertThat(partitions.all().getFirst().ageMillis())
                .isBetween(Duration.ofHours(24).toMillis(), Duration.ofHours(25).toMillis());
    }

    @Test
    void whereAClosedEpochEndedIsKept() {
        initialise(2);
        succeed(1, 0, 0, 1);
        succeed(1, 1, 12, 5);
        succeed(1, 5, 0, 6);

        assertThat(partitions.finalSeq(1, 1)).hasValue(12);
        assertThat(partitions.finalSeq(1, 5)).hasValue(0);
        assertThat(partitions.finalSeq(1, 6)).isEmpty();
        assertThat(partitions.finalSeq(1, 0)).isEmpty();
        assertThat(partitions.finalSeq(0, 1)).isEmpty();
    }

    @Test
    void manyEpochsAreFollowedAtOnce() {
        initialise(64);
        store.transaction(
                () ->
                        partitions.succeed(
                                partitions.all().stream()
                                        .map(row -> new Succession(row.p(), 0, 0, row.p() + 1, "i"))
                                        .toList()));

        assertThat(partitions.all()).allMatch(row -> row.epoch() == row.p() + 1);
    }

    private void initialise(int count) {
        store.transaction(() -> partitions.initialise(count));
    }

    private void advance(Advance... steps) {
        store.transaction(() -> partitions.advance(List.of(steps)));
    }

    private void succeed(int p, long epoch, long finalSeq, long next) {
        store.transaction(
                () -> partitions.succeed(List.of(new Succession(p, epoch, finalSeq, next, "i"))));
    }
}
