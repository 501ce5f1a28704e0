package dev.ovation.outbox;

import dev.ovation.hot.Fence;
import dev.ovation.hot.Fences;
import dev.ovation.store.PartitionRow;

import java.util.ArrayList;
import java.util.List;

/**
 * What an instance knew of a partition before it read the row: that can have gone on since, but
 * never back, unless Postgres was.
 *
 * @param applied the last event that was known to be committed
 */
record Attached(int p, Fence fence, long applied) {

    /** Returns what is known of every partition that this instance is attached to. */
    static List<Attached> all(Fences fences, Cursors cursors) {
        var all = new ArrayList<Attached>();
        for (int p = 0; p < fences.partitions(); p++) {
            var fence = fences.of(p);
            if (fence != null) {
                var position = cursors.position(p);
                long applied = position.epoch() == fence.epoch() ? position.applied() : 0;
                all.add(new Attached(p, fence, applied));
            }
        }
        return all;
    }

    /** Returns whether the row names another epoch: a newer one, or one from before a restore. */
    boolean isSuperseded(PartitionRow row) {
        return row.epoch() != fence.epoch();
    }

    /** Returns whether the row stands behind what was committed. */
    boolean isAheadOf(PartitionRow row) {
        return row.epoch() == fence.epoch() && row.appliedSeq() < applied;
    }
}
