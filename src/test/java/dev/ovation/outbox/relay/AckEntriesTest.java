package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck.Continues;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.outbox.watermark.Watermarks;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

class AckEntriesTest {

    private static final int P = 3;
    private static final Fence FENCE = new Fence(7, "id");
    private static final EntityKey POST = new EntityKey("posts", "1");
    private static final EntityKey NOTE = new EntityKey("notes", "1");

    private final Watermarks watermarks = new Watermarks(8);

    @Test
    void anEntryHoldsTheLastCommittedAndLastRejectedEvent() {
        var events =
                List.of(
                        Events.event(4, POST),
                        Events.event(5, POST),
                        Events.event(6, POST),
                        Events.event(7, POST));

        assertThat(AckEntries.of(events, Set.of(5L, 6L)))
                .containsExactly(new Fate(POST, "op7", 7, 6));
        assertThat(AckEntries.of(events, Set.of(4L, 7L)))
                .containsExactly(new Fate(POST, "op6", 6, 7));
    }

    @Test
    void anEntityOfRejectedEventsAloneHasNoCommittedOne() {
        assertThat(AckEntries.of(List.of(Events.event(4, POST)), Set.of(4L)))
                .containsExactly(new Fate(POST, "", 0, 4));
    }

    @Test
    void eachEntityHasOneEntryOfItsOwnEvents() {
        var events = List.of(Events.event(4, POST), Events.event(5, NOTE), Events.event(6, POST));

        assertThat(AckEntries.of(events, Set.of(5L)))
                .containsExactlyInAnyOrder(new Fate(POST, "op6", 6, 0), new Fate(NOTE, "", 0, 5));
    }

    @Test
    void aRejectionOfNoneOfTheEventsDoesNotCount() {
        assertThat(AckEntries.of(List.of(Events.event(4, POST)), Set.of(3L, 5L)))
                .containsExactly(new Fate(POST, "op4", 4, 0));
    }

    @Test
    void rejectionsAreIncludedUntilTheyAreAcknowledged() {
        watermarks.reset(P, FENCE.epoch(), 6, Set.of(4L, 5L, 6L));

        assertThat(AckEntries.rejected(result(4, 9, 9, Set.of(8L)), watermarks))
                .containsExactlyInAnyOrder(5L, 6L, 8L);
    }

    @Test
    void rejectionsOfOtherPartitionsAreNotIncluded() {
        watermarks.reset(P + 1, FENCE.epoch(), 6, Set.of(5L));

        assertThat(AckEntries.rejected(result(4, 9, 9, Set.of()), watermarks)).isEmpty();
    }

    @Test
    void aWatermarkBeyondTheSliceCoversOnlyTheSlice() {
        assertThat(AckEntries.covered(result(4, 6, 9, Set.of()))).isEqualTo(6);
    }

    @Test
    void aWatermarkWithinTheSliceCoversNothingBeyondIt() {
        assertThat(AckEntries.covered(result(4, 9, 6, Set.of()))).isEqualTo(6);
    }

    /** Result of a slice up to {@code last} that moved the watermark to {@code to}. */
    private static PartitionResult result(long acked, long last, long to, Set<Long> rejected) {
        var entries =
                LongStream.rangeClosed(acked + 1, last)
                        .mapToObj(seq -> new OutboxEntry(seq, Map.of("op", "op" + seq)))
                        .toList();
        var slice = new OutboxSlice(P, FENCE, acked, acked, last, entries, true);
        var finding = new Continues(entries, List.of());
        return new PartitionResult(slice, finding, to, rejected, List.of(), List.of(), 0);
    }
}
