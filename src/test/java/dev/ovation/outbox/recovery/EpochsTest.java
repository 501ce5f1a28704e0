package dev.ovation.outbox.recovery;

import static dev.ovation.outbox.batch.RelayTransactionFixture.EPOCH;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.outbox.batch.RelayTransactionFixture;
import dev.ovation.outbox.recovery.Epochs.Meta;
import dev.ovation.outbox.recovery.Epochs.OpenedEpoch;
import dev.ovation.store.AgedPartitions;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Succession;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Open epochs and their successors, by the rows of a real Postgres. */
class EpochsTest {

    private static final long CLOCK = 1_800_000_000; // in seconds
    private static final String SERVER = "id";
    private static final Meta OPEN = new Meta(EPOCH, SERVER, 0, 0);

    private final RelayTransactionFixture postgres = new RelayTransactionFixture();

    @Test
    void anEpochThatRedisHoldsIsOpen() {
        assertThat(isOpen(SERVER, OPEN)).isTrue();
        assertThat(renewed(seen(SERVER, OPEN))).isEmpty();
    }

    @Test
    void anEpochThatRedisDoesNotHoldIsNotOpen() {
        assertThat(isOpen(SERVER, new Meta(EPOCH - 1, SERVER, 0, 0))).isFalse();
        assertThat(isOpen(SERVER, new Meta(EPOCH + 1, SERVER, 0, 0))).isFalse();
        assertThat(isOpen(SERVER, new Meta(0, "", 0, 0))).isFalse();
    }

    @Test
    void anEpochOfAnotherServerIsNotOpen() {
        assertThat(isOpen("another", OPEN)).isFalse();
        assertThat(isOpen("another", new Meta(EPOCH, "another", 0, 0))).isFalse();
        assertThat(isOpen(SERVER, new Meta(EPOCH, "another", 0, 0))).isFalse();
    }

    @Test
    void anEpochInWhichMoreIsAcknowledgedThanAppliedIsNotOpen() {
        postgres.jdbc.update("update partition set applied_seq = 3");

        assertThat(isOpen(SERVER, new Meta(EPOCH, SERVER, 0, 3))).isTrue();
        assertThat(isOpen(SERVER, new Meta(EPOCH, SERVER, 0, 4))).isFalse();
    }

    @Test
    void anEpochWithNewerRulesThanPostgresKnowsIsNotOpen() {
        assertThat(isOpen(SERVER, new Meta(EPOCH, SERVER, 1, 0))).isFalse();
    }

    @Test
    void aNewEpochIsAboveTheOneThatRedisHolds() {
        long high = 1L << 50;

        assertThat(renewed(seen(SERVER, new Meta(high, SERVER, 0, 0))))
                .containsExactly(new Succession(0, EPOCH, 0, high + 1, SERVER));
    }

    @Test
    void aNewEpochIsNotBelowTheClock() {
        assertThat(renewed(seen("another", OPEN)))
                .singleElement()
                .satisfies(next -> assertThat(next.newEpoch()).isEqualTo(CLOCK));
    }

    @Test
    void anEpochYoungerThanASecondIsNotReplaced() {
        for (long age : List.of(0L, 999L, -999L)) {
            assertThat(renewed(aged(age), seen("another", OPEN))).isEmpty();
        }
        assertThat(renewed(aged(1000), seen("another", OPEN))).hasSize(1);
    }

    @Test
    void anEpochThatAnotherTookSinceIsLeftAlone() {
        var seen = seen("another", OPEN);
        postgres.jdbc.update("update partition set epoch = epoch + 1, incarnation = 'another'");

        assertThat(renewed(seen)).isEmpty();
    }

    private boolean isOpen(String incarnation, Meta meta) {
        return seen(incarnation, meta).isOpen(row());
    }

    private OpenedEpoch seen(String incarnation, Meta meta) {
        var seen = new OpenedEpoch(incarnation);
        seen.add(row(), meta);
        return seen;
    }

    private PartitionRow row() {
        return postgres.partitions.all().getFirst();
    }

    private PartitionTable aged(long millis) {
        return new AgedPartitions(postgres.jdbc, millis);
    }

    private List<Succession> renewed(OpenedEpoch seen) {
        return renewed(postgres.partitions, seen);
    }

    private List<Succession> renewed(PartitionTable partitions, OpenedEpoch seen) {
        return postgres.transactions()
                .execute(_ -> Epochs.take(partitions, List.of(0), seen, _ -> false, CLOCK));
    }
}
