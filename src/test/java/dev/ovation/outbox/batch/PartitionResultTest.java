package dev.ovation.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck.Superseded;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class PartitionResultTest {

    /** Events 3 to 8 are in the slice; 5 to 7 were new to the transaction, which rejected 6. */
    private static PartitionResult result() {
        List<OutboxEntry> entries =
                List.of(traced(3), traced(4), traced(5), traced(6), untraced(7), traced(8));
        var slice = new OutboxSlice(1, new Fence(1, "redis"), 4, 4, 8, entries, true);
        return new PartitionResult(
                slice, new Superseded(), 7, Set.of(6L), List.of("malformed"), List.of(), 3);
    }

    private static OutboxEntry traced(long seq) {
        return new OutboxEntry(seq, Map.of("op", "op" + seq, Event.TRACE, "trace-" + seq));
    }

    private static OutboxEntry untraced(long seq) {
        return new OutboxEntry(seq, Map.of("op", "op" + seq));
    }

    @Test
    void onlyTheTracesOfAppliedEventsAreCommitted() {
        var traces = new HashMap<String, String>();
        result().traces(traces);
        assertThat(traces).isEqualTo(Map.of("op5", "trace-5"));
    }

    @Test
    void earlierLaterAndRejectedEventsAreNotApplied() {
        for (long seq = 3; seq <= 8; seq++) {
            assertThat(result().hasApplied(seq)).as("event " + seq).isEqualTo(seq == 5 || seq == 7);
        }
    }
}
