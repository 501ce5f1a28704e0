package dev.ovation.outbox.relay;

import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.Event;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** Acknowledgement entries of a committed result. */
final class AckEntries {

    private AckEntries() {}

    /** Returns the rejected events of a result, including those that were not acknowledged. */
    static Set<Long> rejected(RelayTransaction.PartitionResult result, Watermarks watermarks) {
        var slice = result.slice();
        var rejected = new HashSet<>(watermarks.rejected(slice.p(), slice.acked()));
        rejected.addAll(result.rejected()); // not in the watermark yet, or lost at its reset
        return rejected;
    }

    /**
     * Returns the last event that this result covers. An event beyond the slice is not covered,
     * even when another instance moved the watermark beyond it: if that instance dies before its
     * acknowledgement, these events would never get one.
     */
    static long covered(RelayTransaction.PartitionResult result) {
        return Math.min(result.to(), result.slice().last());
    }

    /** Returns the acknowledgement entry of each entity of these events. */
    static List<Fate> of(List<Event> events, Set<Long> rejected) {
        var fates = new LinkedHashMap<Object, Fate>();
        for (Event event : events) {
            var before = fates.getOrDefault(event.key(), new Fate(event.key(), "", 0, 0));
            fates.put(
                    event.key(),
                    rejected.contains(event.seq())
                            ? new Fate(event.key(), before.op(), before.committed(), event.seq())
                            : new Fate(event.key(), event.op(), event.seq(), before.rejected()));
        }
        return List.copyOf(fates.values());
    }
}
