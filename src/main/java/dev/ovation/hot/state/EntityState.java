package dev.ovation.hot.state;

import dev.ovation.entity.Counter;

import java.util.List;

/**
 * State of an entity as a reader sees it, all at one instant.
 *
 * @param epoch epoch of its partition
 * @param version its version within all epochs
 * @param op id of the change that made it; empty when the entity never had a change
 * @param people number of users with a reaction on it
 * @param counters its counters, in no order
 * @param own the viewer's reactions, oldest first; empty when the read has no viewer
 * @param locked whether it takes no reactions, or some only
 */
public record EntityState(
        long epoch,
        long version,
        String op,
        long people,
        List<Counter> counters,
        List<String> own,
        boolean locked) {

    /** Creates the state of an entity that is not locked. */
    public EntityState(
            long epoch,
            long version,
            String op,
            long people,
            List<Counter> counters,
            List<String> own) {
        this(epoch, version, op, people, counters, own, false);
    }

    /**
     * Returns whether this is the same state with the same counters. One version may name two
     * states; an op names one. The counters of one op may differ when one of the two was wrong.
     */
    public boolean isSameAs(EntityState other) {
        return epoch == other.epoch
                && !op.isEmpty()
                && op.equals(other.op)
                && people == other.people
                && counters.equals(other.counters);
    }

    /** Returns the same state for a viewer with these reactions. */
    public EntityState seenWith(List<String> reactions) {
        return new EntityState(epoch, version, op, people, counters, reactions, locked);
    }
}
