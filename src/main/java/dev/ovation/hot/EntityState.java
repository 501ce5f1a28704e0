package dev.ovation.hot;

import dev.ovation.entity.Counter;

import java.util.List;

/**
 * What a reader sees of an entity, all of one instant.
 *
 * @param epoch epoch of its partition
 * @param version its version within all epochs
 * @param op id of the change that made it; empty when nobody ever touched the entity
 * @param counters its counters, in no order
 * @param own the viewer's reactions, oldest first; empty when nobody's view was asked for
 */
public record EntityState(
        long epoch, long version, String op, List<Counter> counters, List<String> own) {

    /**
     * Whether this is the same state with the same counters. A version alone may name two states,
     * an op does not; its counters may differ when those of one were wrong.
     */
    public boolean isSameAs(EntityState other) {
        return epoch == other.epoch
                && !op.isEmpty()
                && op.equals(other.op)
                && counters.equals(other.counters);
    }

    /** The same state as somebody with these reactions sees it. */
    public EntityState seenWith(List<String> reactions) {
        return new EntityState(epoch, version, op, counters, reactions);
    }
}
