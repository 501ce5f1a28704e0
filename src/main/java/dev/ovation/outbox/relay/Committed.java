package dev.ovation.outbox.relay;

import dev.ovation.hot.script.AckScript;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.RelayTransaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Committed events of a partition, without a gap, for one acknowledgement to Redis. */
final class Committed {

    private final int p;
    private final Fence fence;
    private final long after;
    private final List<Event> events;
    private final Set<Long> rejected;
    private final CompletableFuture<Boolean> acknowledged = new CompletableFuture<>();
    private long applied;

    /** Takes the events of a result, with these rejected ones. */
    Committed(RelayTransaction.PartitionResult result, Set<Long> rejected) {
        this.p = result.slice().p();
        this.fence = result.slice().fence();
        this.after = result.slice().acked();
        this.events = new ArrayList<>(result.events());
        this.rejected = new HashSet<>(rejected);
        this.applied = AckEntries.covered(result);
    }

    /**
     * Adds the events of the result that follows.
     *
     * @return false when they are of another epoch, leave a gap, or begin before these, because an
     *     acknowledgement did not arrive: then nothing is added
     */
    boolean join(RelayTransaction.PartitionResult result, Set<Long> alsoRejected) {
        long acked = result.slice().acked();
        if (!result.slice().fence().equals(fence) || acked > applied || acked < after) {
            return false;
        }
        result.events().stream().filter(event -> event.seq() > applied).forEach(events::add);
        rejected.addAll(alsoRejected);
        applied = Math.max(applied, AckEntries.covered(result));
        return true;
    }

    int p() {
        return p;
    }

    Fence fence() {
        return fence;
    }

    /** Returns the seq of the event before the first one. */
    long after() {
        return after;
    }

    /** Returns the seq of the last event. */
    long applied() {
        return applied;
    }

    int size() {
        return events.size();
    }

    /** Completes once Redis has answered: whether the fence held. */
    CompletableFuture<Boolean> acknowledged() {
        return acknowledged;
    }

    /** Returns all entries as one item. */
    AckScript.AckItem item() {
        return new AckScript.AckItem(p, fence, after, applied, AckEntries.of(events, rejected));
    }

    /**
     * Returns a part of the entries.
     *
     * @param from number of entries before the part
     * @param afterThese seq of the last event before the part
     */
    AckScript.AckItem item(int from, int until, long afterThese) {
        List<Event> chunk = events.subList(from, until);
        long last = until == events.size() ? applied : chunk.getLast().seq();
        return new AckScript.AckItem(p, fence, afterThese, last, AckEntries.of(chunk, rejected));
    }
}
