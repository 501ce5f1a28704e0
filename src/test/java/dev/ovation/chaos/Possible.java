package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Possible reactions of one user on one entity, given the user's operations and their answers. An
 * operation with an unknown outcome may be applied at any later time, once, or never.
 */
final class Possible {

    /** Greatest number of operations with an unknown outcome at the same time. */
    static final int MOST_OPEN = 6;

    /** The user's reactions, and by slot the unknown operations that are not applied. */
    private record World(int state, int open) {}

    /** Least and greatest number of changes of the entity's version. */
    record Changes(int least, int most) {
        private Changes plus(int n) {
            return new Changes(least + n, most + n);
        }

        private Changes or(Changes other) {
            return new Changes(Math.min(least, other.least), Math.max(most, other.most));
        }
    }

    private final Space space;
    private final Terms terms;
    private final Operation[] slots = new Operation[MOST_OPEN];

    /**
     * For each unknown import the reactions that may have been taken back since its rows: it does
     * not bring these back, if they were there.
     */
    private final int[] takenBack = new int[MOST_OPEN];

    private Map<World, Changes> worlds = Map.of(new World(0, 0), new Changes(0, 0));

    Possible(Space space, Terms terms) {
        this.space = space;
        this.terms = terms;
    }

    /**
     * Registers an operation that was just applied; {@code own} is the user's state, -1 if unknown.
     */
    void accepted(Operation operation, int own) {
        spread();
        takesBack(operation);
        terms.began(operation, all());
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) -> {
                    int after = after(operation, world);
                    if (after != Operation.REFUSED && (own < 0 || own == after)) {
                        next.merge(
                                new World(after, world.open),
                                changes.plus(after == world.state ? 0 : operation.changes()),
                                Changes::or);
                    }
                });
        worlds = next;
        terms.ended(operation);
    }

    /**
     * Registers a refusal by the rules; its reason was committed. An operation that was applied by
     * an earlier request with its key is not refused.
     */
    void refused(Operation operation, Outcome reason) {
        spread();
        int slot = slotOf(operation);
        keep(
                world ->
                        (slot < 0 || (world.open & 1 << slot) != 0)
                                && explains(reason, operation, world));
    }

    private boolean explains(Outcome reason, Operation operation, World world) {
        return switch (reason) {
            case EXISTS, CONFLICT, LIMIT -> operation.explains(reason, world.state, space);
            default ->
                    terms.explain(
                            reason,
                            operation,
                            world.state,
                            operation.on(world.state, space),
                            isRecent(world));
        };
    }

    /** Whether an operation with an unknown outcome, which adds something, is applied. */
    private boolean isRecent(World world) {
        for (int slot = 0; slot < MOST_OPEN; slot++) {
            if (slots[slot] != null && slots[slot].given() != 0 && (world.open & 1 << slot) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Registers an operation that may have been applied, or may be applied later. */
    void unknown(Operation operation) {
        int slot = slotOf(null);
        spread();
        terms.began(operation, all());
        takesBack(operation);
        takenBack[slot] = 0;
        for (Operation open : slots) {
            takenBack[slot] |= open == null ? 0 : open.takesBack(space);
        }
        slots[slot] = operation;
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) ->
                        next.put(new World(world.state, world.open | 1 << slot), changes));
        worlds = next;
    }

    private void takesBack(Operation operation) {
        for (int slot = 0; slot < MOST_OPEN; slot++) {
            takenBack[slot] |= operation.takesBack(space);
        }
    }

    /** Registers that an operation with an unknown outcome has been applied. */
    void settled(Operation operation) {
        spread();
        int slot = slotOf(operation);
        keep(world -> (world.open & 1 << slot) == 0);
        slots[slot] = null;
        terms.ended(operation);
    }

    /** Registers that no reaction and no unknown operation is left. */
    void erased() {
        worlds.values().stream()
                .reduce(Changes::or)
                .ifPresent(changes -> worlds = Map.of(new World(0, 0), changes));
    }

    boolean isOpen(Operation operation) {
        return slotOf(operation) >= 0;
    }

    /** Number of further operations that may become unknown. */
    int room() {
        return (int) Arrays.stream(slots).filter(Objects::isNull).count();
    }

    /** Whether an answer may show this state to the user. */
    boolean allows(int state) {
        spread();
        return worlds.keySet().stream().anyMatch(world -> world.state == state);
    }

    /** Number of changes that lead to this state. */
    Changes changes(int state) {
        spread();
        return worlds.entrySet().stream()
                .filter(entry -> entry.getKey().state == state)
                .map(Map.Entry::getValue)
                .reduce(Changes::or)
                .orElse(new Changes(0, 0));
    }

    /** Whether the answers contradict each other. */
    boolean isNothing() {
        return worlds.isEmpty();
    }

    /** Adds the states after operations with an unknown outcome. */
    private void spread() {
        var all = new HashMap<>(worlds);
        var left = new ArrayDeque<>(worlds.keySet());
        while (!left.isEmpty()) {
            World world = left.poll();
            for (int slot = 0; slot < MOST_OPEN; slot++) {
                if ((world.open & 1 << slot) == 0) {
                    continue;
                }
                for (int after : afters(slot, world)) {
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
        }
        worlds = all;
    }

    /** The user's reactions after an unknown operation; none if the rules forbid it. */
    private Set<Integer> afters(int slot, World world) {
        int whole = after(slots[slot], world);
        if (whole == Operation.REFUSED) {
            return Set.of();
        }
        int optional =
                slots[slot].kind == Operation.Kind.IMPORT
                        ? whole & ~world.state & takenBack[slot]
                        : 0;
        var afters = new HashSet<Integer>();
        for (int missing = optional; missing > 0; missing = (missing - 1) & optional) {
            afters.add(whole & ~missing);
        }
        afters.add(whole);
        return afters;
    }

    /**
     * The user's reactions after the operation, {@link Operation#REFUSED} if the rules forbid it.
     */
    private int after(Operation operation, World world) {
        int after = operation.on(world.state, space);
        return after == Operation.REFUSED || terms.forbid(operation, world.state, after)
                ? Operation.REFUSED
                : after;
    }

    /** All reactions that the user may have. */
    private int all() {
        return worlds.keySet().stream().mapToInt(World::state).reduce(0, (a, b) -> a | b);
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
