package dev.ovation.outbox;

import dev.ovation.hot.Event;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.cursor.Cursors;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** What Redis is to be told of a committed result. */
final class Fates {

    private Fates() {}

    /**
     * Returns which events of a result were rejected, those included that were not acknowledged.
     */
    static Set<Long> rejected(Batch.Result result, Cursors cursors) {
        var look = result.look();
        var rejected = new HashSet<>(cursors.rejected(look.p(), look.acked()));
        rejected.addAll(result.rejected()); // not yet told, or told before the cursor was set back
        return rejected;
    }

    /**
     * Up to where the events of this result reach. Not up to a cursor that another moved beyond
     * what was seen here: should that one die before it acknowledges, nobody else would.
     */
    static long covered(Batch.Result result) {
        return Math.min(result.to(), result.look().last());
    }

    /** Returns what became of each entity of these events. */
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
