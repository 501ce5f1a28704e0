package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What one user may have on one entity, after all that this user did and was told. An operation
 * whose outcome is unknown may be applied at any later time, once, or never.
 */
final class Possible {

    /** Operations whose outcome may be unknown at the same time. */
    static final int MOST_OPEN = 6;

    /** The user's reactions, and by slot the unknown operations that are not applied. */
    private record World(int state, int open) {}

    /** How many changes of the entity's version it took, at least and at most. */
    record Changes(int least, int most) {
        private Changes plus(int n) {
            return new Changes(least + n, most + n);
        }

        private Changes or(Changes other) {
            return new Changes(Math.min(least, other.least), Math.max(most, other.most));
        }
    }

    private final Space space;
    private final Operation[] slots = new Operation[MOST_OPEN];
    private Map<World, Changes> worlds = Map.of(new World(0, 0), new Changes(0, 0));

    Possible(Space space) {
        this.space = space;
    }

    /**
     * It was applied just now; {@code own} is what the user has then, -1 when that was not told.
     */
    void accepted(Operation operation, int own) {
        spread();
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) -> {
                    int after = operation.on(world.state, space);
                    if (after != Operation.REFUSED && (own < 0 || own == after)) {
                        next.merge(
                                new World(after, world.open),
                                changes.plus(after == world.state ? 0 : operation.changes()),
                                Changes::or);
                    }
                });
        worlds = next;
    }

    /** The rules refused it, for a reason that was committed. */
    void refused(Operation operation, Outcome reason) {
        spread();
        keep(world -> operation.explains(reason, world.state, space));
    }

    /** Nobody knows whether it was, or will be applied. */
    void unknown(Operation operation) {
        int slot = slotOf(null);
        slots[slot] = operation;
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) ->
                        next.put(new World(world.state, world.open | 1 << slot), changes));
        worlds = next;
    }

    /** One that was unknown turns out to have been applied by now. */
    void settled(Operation operation) {
        spread();
        int slot = slotOf(operation);
        keep(world -> (world.open & 1 << slot) == 0);
        slots[slot] = null;
    }

    boolean isOpen(Operation operation) {
        return slotOf(operation) >= 0;
    }

    /** How many further operations may become unknown. */
    int room() {
        return (int) Arrays.stream(slots).filter(Objects::isNull).count();
    }

    /** Whether the user may be shown this. */
    boolean allows(int state) {
        spread();
        return worlds.keySet().stream().anyMatch(world -> world.state == state);
    }

    /** How many changes lead to this. */
    Changes changes(int state) {
        spread();
        return worlds.entrySet().stream()
                .filter(entry -> entry.getKey().state == state)
                .map(Map.Entry::getValue)
                .reduce(Changes::or)
                .orElse(new Changes(0, 0));
    }

    /** Whether what the user was told contradicts itself. */
    boolean isNothing() {
        return worlds.isEmpty();
    }

    /** Adds what may have happened without the user's knowledge. */
    private void spread() {
        var all = new HashMap<>(worlds);
        var left = new ArrayDeque<>(worlds.keySet());
        while (!left.isEmpty()) {
            World world = left.poll();
            for (int slot = 0; slot < MOST_OPEN; slot++) {
                if ((world.open & 1 << slot) == 0) {
                    continue;
                }
                int after = slots[slot].on(world.state, space);
                if (after == Operation.REFUSED) {
                    continue;
                }
                var next = new World(after, world.open & ~(1 << slot));
                var before = all.get(next);
                int more = after == world.state ? 0 : slots[slot].changes();
                var changes = all.get(world).plus(more);
                var both = before == null ? changes : changes.or(before);
                if (!both.equals(before)) {
                    all.put(next, both);
                    left.add(next);
                }
            }
        }
        worlds = all;
    }

    private void keep(Predicate<World> which) {
        var kept = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) -> {
                    if (which.test(world)) {
                        kept.put(world, changes);
                    }
                });
        worlds = kept;
    }

    private int slotOf(Operation operation) {
        for (int slot = 0; slot < MOST_OPEN; slot++) {
            if (slots[slot] == operation) {
                return slot;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return worlds.keySet().stream()
                .map(world -> Place.names(world.state).toString())
                .distinct()
                .sorted()
                .toList()
                .toString();
    }
}
