package dev.ovation.hot.cluster;

import io.lettuce.core.cluster.SlotHash;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The node that holds each partition.
 *
 * @param <N> a node
 * @param nodes the node of each partition; null while none is known
 * @param moving the partitions that are being moved away from their node
 */
record Holders<N>(List<@Nullable N> nodes, BitSet moving) {

    /**
     * The slots that a node claims.
     *
     * @param up whether the node answers now
     * @param view its last answer
     */
    record Claim<N>(N node, boolean up, ClusterView view) {}

    /** Returns the node of a partition; null while none is known. */
    @Nullable N of(int p) {
        return nodes.get(p);
    }

    /** Returns whether a partition is being moved away from its node. */
    boolean isMoving(int p) {
        return moving.get(p);
    }

    /** Returns the holders before any node has answered. */
    static <N> Holders<N> none(int partitions) {
        var nodes = new ArrayList<@Nullable N>(partitions);
        for (int p = 0; p < partitions; p++) {
            nodes.add(null);
        }
        return new Holders<>(nodes, new BitSet(partitions));
    }

    /**
     * Returns the holders by these claims. A node that answers is preferred to one that does not,
     * and then the one with the newer version of its slots. A partition that no node claims stays
     * where it was, if that node is still among the claims.
     */
    Holders<N> by(List<Claim<N>> claims) {
        Holders<N> next = none(nodes.size());
        for (int p = 0; p < nodes.size(); p++) {
            int slot = slot(p);
            Claim<N> best = null;
            N before = nodes.get(p);
            for (Claim<N> claim : claims) {
                if (claim.view.master() && claim.view.slots().get(slot) && isBetter(claim, best)) {
                    best = claim;
                }
                if (claim.node.equals(before)) {
                    next.nodes.set(p, before);
                }
            }
            if (best != null) {
                next.nodes.set(p, best.node);
                next.moving.set(p, best.view.leaving().get(slot));
            }
        }
        return next;
    }

    private static <N> boolean isBetter(Claim<N> claim, @Nullable Claim<N> best) {
        return best == null
                || (claim.up == best.up
                        ? claim.view.configEpoch() > best.view.configEpoch()
                        : claim.up);
    }

    /** Returns the slot of all keys of a partition. */
    static int slot(int p) {
        return SlotHash.getSlot("{" + p + "}");
    }
}
