package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AckScript;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

class CommittedTest {

    private static final int P = 3;
    private static final Fence FENCE = new Fence(7, "id");
    private static final EntityKey POST = new EntityKey("posts", "1");

    private final Committed committed = new Committed(result(FENCE, 4, 6), Set.of());

    @Test
    void consecutiveResultsAreAcknowledgedTogether() {
        assertThat(committed.join(result(FENCE, 6, 9), Set.of())).isTrue();
        assertThat(committed.item()).isEqualTo(item(4, 9, new Fate(POST, "op9", 9, 0)));
    }

    @Test
    void aRepeatedResultDoesNotReplaceLaterEvents() {
        committed.join(result(FENCE, 6, 9), Set.of());
        assertThat(committed.join(result(FENCE, 4, 8), Set.of())).isTrue();
        assertThat(committed.item()).isEqualTo(item(4, 9, new Fate(POST, "op9", 9, 0)));
    }

    @Test
    void aJoinedResultKeepsItsRejections() {
        committed.join(result(FENCE, 6, 7), Set.of(7L));
        assertThat(committed.item()).isEqualTo(item(4, 7, new Fate(POST, "op6", 6, 7)));
    }

    @Test
    void aResultAfterAGapIsNotJoined() {
        assertThat(committed.join(result(FENCE, 7, 9), Set.of())).isFalse();
        assertThat(committed.item()).isEqualTo(item(4, 6, new Fate(POST, "op6", 6, 0)));
    }

    @Test
    void aRepetitionOfEarlierEventsIsApart() {
        assertThat(committed.join(result(FENCE, 3, 9), Set.of())).isFalse();
        assertThat(committed.item()).isEqualTo(item(4, 6, new Fate(POST, "op6", 6, 0)));
    }

    @Test
    void anotherEpochIsApart() {
        assertThat(committed.join(result(new Fence(8, "id"), 0, 9), Set.of())).isFalse();
        assertThat(committed.join(result(new Fence(7, "other"), 4, 9), Set.of())).isFalse();
        assertThat(committed.item()).isEqualTo(item(4, 6, new Fate(POST, "op6", 6, 0)));
    }

    @Test
    void aPartBeginsWhereTheOneBeforeEnded() {
        committed.join(result(FENCE, 6, 9), Set.of());
        var first = committed.item(0, 3, committed.after());
        assertThat(first).isEqualTo(item(4, 7, new Fate(POST, "op7", 7, 0)));
        assertThat(committed.item(3, 5, first.applied()))
                .isEqualTo(item(7, 9, new Fate(POST, "op9", 9, 0)));
    }

    private static AckScript.AckItem item(long after, long applied, Fate fate) {
        return new AckScript.AckItem(P, FENCE, after, applied, List.of(fate));
    }

    /** Result of one entity; events after {@code after} may be unacknowledged. */
    private static RelayTransaction.PartitionResult result(Fence fence, long after, long until) {
        var events =
                LongStream.rangeClosed(after + 1, until)
                        .mapToObj(seq -> Events.event(seq, POST))
                        .toList();
        var entries =
                events.stream()
                        .map(one -> new OutboxSlice.OutboxEntry(one.seq(), Map.of("op", one.op())))
                        .toList();
        var slice = new OutboxSlice(P, fence, after, after, until, entries, true);
        var finding = new OutboxSlice.ContinuityCheck.Continues(entries, List.of());
        return new RelayTransaction.PartitionResult(
                slice, finding, until, Set.of(), List.of(), events, events.size());
    }
}
