package dev.ovation.store;

import dev.ovation.entity.Counter;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The committed state of one entity, all of one instant.
 *
 * @param epoch epoch of its partition
 * @param version its version; 0 before the first change
 * @param op id of the change that made this state; empty before the first change
 * @param lastAt time of that change, in microseconds since 1970
 * @param people number of users with a reaction on it
 * @param counters its counters, in no order
 * @param complete whether {@code users} holds every reactor
 * @param users the reactions of users, oldest first: of all users, or of the requested one only
 * @param lock null when the entity is not locked; otherwise the keys of the reactions that the lock
 *     lets pass, each between two separators of parts
 */
public record EntitySnapshot(
        long epoch,
        long version,
        String op,
        long lastAt,
        long people,
        List<Counter> counters,
        boolean complete,
        Map<String, List<String>> users,
        @Nullable String lock) {

    /** Creates the state of an entity that is not locked. */
    public EntitySnapshot(
            long epoch,
            long version,
            String op,
            long lastAt,
            long people,
            List<Counter> counters,
            boolean complete,
            Map<String, List<String>> users) {
        this(epoch, version, op, lastAt, people, counters, complete, users, null);
    }

    /** Returns whether the entity has never changed. */
    public boolean isAbsent() {
        return op.isEmpty()
                && counters.isEmpty()
                && users.values().stream().allMatch(List::isEmpty);
    }
}
