package dev.ovation.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.PartitionRow;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class InboxTest {

    private static final int P = 1;
    private static final Fence FENCE = new Fence(7, "id");

    private final Inbox inbox = new Inbox(2);

    @Test
    void ownEventsAfterTheWatermarkAreOffered() {
        applied(3);
        propose(4, 5);

        assertThat(look(3)).isEqualTo(OutboxSlice.atOwn(P, FENCE, 3, entries(3, 4, 5), true));
        assertThat(look(3).against(row(3)))
                .isEqualTo(
                        new ContinuityCheck.Continues(entries(3, 4, 5).subList(1, 3), List.of()));
    }

    @Test
    void aLookIsTakenAgainUntilItIsApplied() {
        applied(3);
        propose(4, 5);
        look(3);
        assertThat(look(3).last()).isEqualTo(5);

        applied(4);
        assertThat(look(3)).isNull();
        assertThat(look(4).entries()).isEqualTo(entries(4, 5));
        applied(5);
        assertThat(look(5)).isNull();
        assertThat(inbox.kept()).isZero();
    }

    @Test
    void noEventsAreOfferedBeforeTheWatermarkIsKnown() {
        propose(4, 5);
        assertThat(look(3)).isNull();
        applied(4);
        assertThat(look(4).entries()).isEqualTo(entries(4, 5));
    }

    @Test
    void aGapIsLookedUp() {
        applied(3);
        propose(4, 6);
        assertThat(look(3)).isNull();
        applied(5);
        assertThat(look(5).entries()).isEqualTo(entries(5, 6));
    }

    @Test
    void aWatermarkAdvancedByOthersRequiresAnOutboxRead() {
        applied(3);
        propose(4, 5);
        assertThat(look(4)).isNull();
        assertThat(look(6)).isNull();
    }

    @Test
    void eventsThatOthersProposedAndThatAreWaitedForAreLookedUp() {
        applied(3);
        propose(4, 5);
        assertThat(inbox.look(P, FENCE, 3, 6, 100)).isNull();
        assertThat(inbox.look(P, FENCE, 3, 5, 100)).isNotNull();
    }

    @Test
    void noMoreAreOfferedThanAskedFor() {
        applied(3);
        propose(4, 5, 6);
        assertThat(inbox.look(P, FENCE, 3, 6, 3))
                .isEqualTo(OutboxSlice.atOwn(P, FENCE, 3, entries(3, 4, 5), false));
    }

    @Test
    void anotherEpochForgetsAll() {
        applied(3);
        propose(4, 5);
        assertThat(inbox.look(P, new Fence(8, "id"), 3, 0, 100)).isNull();
        inbox.proposed(P, 8, 4, text(4));
        assertThat(look(3)).isNull();
        assertThat(inbox.look(P, new Fence(8, "id"), 3, 0, 100)).isNull();
        assertThat(inbox.kept()).isEqualTo(text(4).length());
    }

    @Test
    void anAnswerOfAnOlderEpochThatComesLateIsNotTaken() {
        applied(3);
        inbox.proposed(P, 6, 4, text(4));
        inbox.applied(P, 6, 4, "op4");
        propose(4);
        assertThat(look(3).entries()).isEqualTo(entries(3, 4));
    }

    @Test
    void droppedEventsAreReadFromTheOutbox() {
        applied(3);
        propose(4);
        inbox.forget(P);
        assertThat(look(3)).isNull();
        propose(5);
        assertThat(look(3)).isNull();
        assertThat(look(4)).isNull();
        applied(4);
        assertThat(look(4).entries()).isEqualTo(entries(4, 5));
    }

    @Test
    void partitionsAreApart() {
        applied(3);
        propose(4);
        assertThat(inbox.look(0, FENCE, 3, 0, 100)).isNull();
    }

    @Test
    void eventsBeyondTheCapacityAreReadFromTheOutbox() {
        applied(3);
        propose(4);
        inbox.proposed(P, FENCE.epoch(), 5, "x".repeat((int) Inbox.MOST));

        assertThat(inbox.kept()).isZero();
        assertThat(look(3)).isNull();
        propose(6);
        applied(5);
        assertThat(look(5).entries()).isEqualTo(entries(5, 6));
    }

    @Test
    void aRowThatOwnEventsDoNotFollowProvesNothing() {
        applied(3);
        propose(4, 5);
        var contradicted = new ContinuityCheck.Contradicted();

        assertThat(look(3).against(row(2))).isEqualTo(contradicted);
        assertThat(look(3).against(row(0))).isEqualTo(contradicted);
        assertThat(look(3).against(row(3, "another"))).isEqualTo(contradicted);
        assertThat(look(3).against(row(4, "another"))).isEqualTo(contradicted);
        assertThat(look(3).against(row(9)))
                .isEqualTo(
                        new ContinuityCheck.Continues(List.of(), entries(3, 4, 5).subList(1, 3)));
        assertThat(look(3).against(new PartitionRow(P, 8, "id", 0, 3, "op3")))
                .isEqualTo(new ContinuityCheck.Superseded());
    }

    /** Only the op of that event is known. */
    @Test
    void theEventAppliedLastIsNotAppliedAgainToARestoredRow() {
        applied(1);
        propose(2);
        assertThat(look(1).against(row(0))).isEqualTo(new ContinuityCheck.Contradicted());
    }

    private void applied(long seq) {
        inbox.applied(P, FENCE.epoch(), seq, "op" + seq);
    }

    private void propose(long... seqs) {
        for (long seq : seqs) {
            inbox.proposed(P, FENCE.epoch(), seq, text(seq));
        }
    }

    private OutboxSlice look(long known) {
        return inbox.look(P, FENCE, known, 0, 100);
    }

    private static String text(long seq) {
        return "s\u001e1\u001eop\u001eop" + seq;
    }

    /** The first event is already applied. */
    private static List<OutboxEntry> entries(long... seqs) {
        return java.util.Arrays.stream(seqs)
                .mapToObj(
                        seq ->
                                seq == seqs[0]
                                        ? new OutboxEntry(seq, Map.of("op", "op" + seq))
                                        : new OutboxEntry(seq, Map.of("s", "1", "op", "op" + seq)))
                .toList();
    }

    private static PartitionRow row(long applied) {
        return row(applied, applied == 0 ? "" : "op" + applied);
    }

    private static PartitionRow row(long applied, String op) {
        return new PartitionRow(P, FENCE.epoch(), "id", 0, applied, op);
    }
}
