package dev.ovation.outbox.batch;

import static dev.ovation.outbox.batch.TestEvent.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck.Continues;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.PartitionRow;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class OutboxSliceTest {

    private static final long EPOCH = 7;

    private long known;
    private long acked;
    private long proposed;
    private boolean whole = true;

    @Test
    void nothingNewIsNotWorthALock() {
        known = 3;
        acked = 3;
        assertThat(look(3).isWorthALock()).isFalse();
    }

    @Test
    void anEmptyOutboxOfAFreshEpochIsNotWorthALock() {
        assertThat(look().isWorthALock()).isFalse();
    }

    @Test
    void newEventsUnacknowledgedOnesAndLostOnesAreWorthALock() {
        known = 3;
        acked = 3;
        assertThat(look(3, 4).isWorthALock()).isTrue();
        assertThat(look(2).isWorthALock()).isTrue();
        acked = 2;
        assertThat(look(3).isWorthALock()).isTrue();
    }

    @Test
    void eventsAfterTheCheckpointEntryAreFresh() {
        known = 3;
        acked = 3;
        assertThat(look(3, 4, 5).against(row(3, "op3"))).isEqualTo(continues(seqs(4, 5), seqs()));
    }

    @Test
    void theFirstEventsOfAnEpochNeedNoAnchor() {
        assertThat(look(1, 2).against(row(0, ""))).isEqualTo(continues(seqs(1, 2), seqs()));
    }

    @Test
    void aRowOfAnotherEpochSupersedesTheSlice() {
        var row = new PartitionRow(0, EPOCH + 1, "id", 0, 0, "");
        assertThat(look(1).against(row)).isEqualTo(new ContinuityCheck.Superseded());
    }

    @Test
    void anAnchorWithAnotherOpIsAnotherPast() {
        assertThat(look(3, 4).against(row(3, "another")))
                .isInstanceOf(ContinuityCheck.OtherPast.class);
    }

    @Test
    void aMissingAnchorIsAnotherPast() {
        assertThat(look(4, 5).against(row(3, "op3"))).isInstanceOf(ContinuityCheck.OtherPast.class);
    }

    @Test
    void aGapIsAnotherPast() {
        assertThat(look(3, 5).against(row(3, "op3"))).isInstanceOf(ContinuityCheck.OtherPast.class);
        assertThat(look(2, 3).against(row(0, ""))).isInstanceOf(ContinuityCheck.OtherPast.class);
    }

    @Test
    void anOutboxThatLostAppliedEventsIsAnotherPast() {
        known = 5;
        assertThat(look(3, 4).against(row(5, "op5"))).isInstanceOf(ContinuityCheck.OtherPast.class);
        assertThat(look().against(row(5, "op5"))).isInstanceOf(ContinuityCheck.OtherPast.class);
    }

    @Test
    void anOutboxThatLostProposedEventsIsAnotherPast() {
        proposed = 2;
        assertThat(look().isWorthALock()).isTrue();
        assertThat(look().against(row(0, ""))).isInstanceOf(ContinuityCheck.OtherPast.class);
        assertThat(look(1).against(row(0, ""))).isInstanceOf(ContinuityCheck.OtherPast.class);
        assertThat(look(1, 2, 3).against(row(0, ""))).isInstanceOf(Continues.class);
    }

    @Test
    void anIncompleteSliceProvesNoLostEvents() {
        known = 5;
        whole = false;
        assertThat(look(3, 4).against(row(5, "op5"))).isEqualTo(continues(seqs(), seqs(3, 4)));
    }

    @Test
    void eventsAppliedAfterTheSliceAreLeftToTheNextSlice() {
        known = 3;
        acked = 3;
        assertThat(look(3, 4).against(row(6, "op6"))).isEqualTo(continues(seqs(), seqs(4)));
    }

    @Test
    void appliedEventsThatWereNotAcknowledgedAreFound() {
        acked = 2;
        assertThat(look(2, 3, 4, 5).against(row(4, "op4")))
                .isEqualTo(continues(seqs(5), seqs(3, 4)));
    }

    @Test
    void anUnknownFormStopsThePartitionThere() {
        assertThat(lookAt(unknown(1)).against(row(0, "")))
                .isEqualTo(new ContinuityCheck.UnknownSchema(1, "2"));
        assertThat(lookAt(event(1, "op1").without("s").entry()).against(row(0, "")))
                .isInstanceOf(ContinuityCheck.UnknownSchema.class);
    }

    @Test
    void eventsBeforeAnUnknownSchemaVersionAreAppliedFirst() {
        assertThat(lookAt(entry(1), unknown(2), entry(3)).against(row(0, "")))
                .isEqualTo(continues(seqs(1), seqs()));
    }

    @Test
    void aShortenedSliceIsIncomplete() {
        assertThat(look(1, 2, 3).until(2).against(row(0, "")))
                .isEqualTo(continues(seqs(1, 2), seqs()));
        assertThat(look(1, 2, 3).until(2).whole()).isFalse();
    }

    private OutboxSlice look(long... seqs) {
        return lookAt(seqs(seqs).toArray(OutboxEntry[]::new));
    }

    private OutboxSlice lookAt(OutboxEntry... entries) {
        return new OutboxSlice(
                0, new Fence(EPOCH, "id"), known, acked, proposed, List.of(entries), whole);
    }

    private static PartitionRow row(long applied, String op) {
        return new PartitionRow(0, EPOCH, "id", 0, applied, op);
    }

    private static Continues continues(List<OutboxEntry> fresh, List<OutboxEntry> unacked) {
        return new Continues(fresh, unacked);
    }

    private static List<OutboxEntry> seqs(long... seqs) {
        return Arrays.stream(seqs).mapToObj(OutboxSliceTest::entry).toList();
    }

    private static OutboxEntry entry(long seq) {
        return event(seq, "op" + seq).entry();
    }

    private static OutboxEntry unknown(long seq) {
        return event(seq, "op" + seq).with("s", "2").entry();
    }
}
