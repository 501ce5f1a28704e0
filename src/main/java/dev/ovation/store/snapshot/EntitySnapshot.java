package dev.ovation.store.snapshot;

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
 * @param lastReactedAt time of the newest of a user's reactions, in microseconds since 1970, by
 *     user; empty when it is not needed
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
        @Nullable String lock,
        Map<String, Long> lastReactedAt) {

    /** Creates the state of an entity that is not locked, without times of users. */
    public EntitySnapshot(
            long epoch,
            long version,
            String op,
            long lastAt,
            long people,
            List<Counter> counters,
            boolean complete,
            Map<String, List<String>> users) {
        this(epoch, version, op, lastAt, people, counters, complete, users, null, Map.of());
    }

    /** Returns the same state without the times of users. */
    public EntitySnapshot withoutTimes() {
        return lastReactedAt.isEmpty()
                ? this
                : new EntitySnapshot(
                        epoch, version, op, lastAt, people, counters, complete, users, lock,
                        Map.of());
    }

    /** Returns whether the entity has never changed. */
    public boolean isAbsent() {
        return op.isEmpty()
                && counters.isEmpty()
                && users.values().stream().allMatch(List::isEmpty);
    }
}
