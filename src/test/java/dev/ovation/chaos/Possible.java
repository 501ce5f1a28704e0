package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Possible reactions of one user on one entity, given the user's operations, those of moderators,
 * and their answers. A write with an unknown outcome may be applied at any later time, once, or
 * never. An open operation of a moderator may be applied any number of times.
 */
final class Possible {

    /** Greatest number of writes with an unknown outcome at the same time. */
    static final int MOST_OPEN = 6;

    /**
     * Number of slots, those of open operations of moderators included: two of a ban, and one of
     * each removal of a reaction that ended during a request of the user.
     */
    private static final int SLOTS = MOST_OPEN + 12;

    /**
     * The user's reactions, those that a ban hides, and by slot the operations that are not
     * applied.
     *
     * @param imported kinds of these reactions whose row an import added since the first open
     *     operation of a moderator was opened
     */
    private record World(int state, int hidden, int imported, int open) {
        private boolean awaits(int slot) {
            return (open & 1 << slot) != 0;
        }

        private World awaiting(int slot) {
            return new World(state, hidden, imported, open | 1 << slot);
        }

        private World without(int slot) {
            return new World(state, hidden, imported, open & ~(1 << slot));
        }

        private World forgettingImports() {
            return new World(state, hidden, 0, open);
        }

        /** The world after a write of the user that leaves this state. */
        private World written(int after, Operation.Kind by) {
            int added = Space.kinds(after & ~state);
            int marks = by == Operation.Kind.IMPORT ? imported | added : imported & ~added;
            return new World(after, hidden, marks & (after | hidden), open);
        }

        /** The world after an operation of a moderator that leaves these reactions. */
        private World moderated(int after, int hiddenAfter) {
            return new World(after, hiddenAfter, imported & (after | hiddenAfter), open);
        }
    }

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
    private final Operation[] slots = new Operation[SLOTS];

    /**
     * For each unknown import the reactions that may have been taken back since its rows: it does
     * not bring these back, if they were there.
     */
    private final int[] takenBack = new int[SLOTS];

    /** For each open operation of a moderator the kinds that it concerns: all until its end. */
    private final int[] reach = new int[SLOTS];

    /** For each of these operations the kinds that the user may have added since its end. */
    private final int[] addedSince = new int[SLOTS];

    private Map<World, Changes> worlds = Map.of(new World(0, 0, 0, 0), new Changes(0, 0));

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
        adds(operation);
        int back = takenBackNow();
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) -> {
                    for (int after : afters(operation, world, back)) {
                        if (own < 0 || own == after) {
                            next.merge(
                                    world.written(after, operation.kind),
                                    changes.plus(after == world.state ? 0 : operation.changes()),
                                    Changes::or);
                        }
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
        keep(world -> (slot < 0 || world.awaits(slot)) && explains(reason, operation, world));
    }

    private boolean explains(Outcome reason, Operation operation, World world) {
        return switch (reason) {
            case EXISTS, CONFLICT, LIMIT, TOO_MANY, FOREIGN ->
                    operation.explains(reason, world.state, space);
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
            if (slots[slot] != null && slots[slot].given() != 0 && !world.awaits(slot)) {
                return true;
            }
        }
        return false;
    }

    /** Registers a write that may have been applied, or may be applied later. */
    void unknown(Operation operation) {
        int slot = slotOf(null);
        spread();
        terms.began(operation, all());
        adds(operation);
        takesBack(operation);
        takenBack[slot] = takenBackNow();
        open(slot, operation);
    }

    /** Reactions that an open operation may take back at any time. */
    private int takenBackNow() {
        int back = 0;
        for (Operation open : slots) {
            back |= open == null ? 0 : open.takesBack(space);
        }
        return back;
    }

    private void adds(Operation operation) {
        for (int slot = 0; slot < SLOTS; slot++) {
            addedSince[slot] |= operation.given();
        }
    }

    /** Registers an operation of a moderator, which may be applied from now on. */
    void opened(Operation moderation) {
        if (isOpen(moderation)) {
            return;
        }
        spread();
        takesBack(moderation);
        int slot = MOST_OPEN;
        while (slots[slot] != null) {
            slot++;
        }
        if (Arrays.stream(slots, MOST_OPEN, SLOTS).allMatch(Objects::isNull)) {
            map(World::forgettingImports);
        }
        reach[slot] = ~0;
        addedSince[slot] = 0;
        open(slot, moderation);
    }

    /**
     * Registers that an open operation of a moderator does not concern what the user adds after its
     * end. The user may have added reactions between the end and this call.
     */
    void ended(Operation moderation, Instant end) {
        spread();
        int slot = slotOf(moderation);
        reach[slot] = Space.kinds(all());
        addedSince[slot] = terms.addedSince(end);
        for (int other = 0; other < MOST_OPEN; other++) {
            addedSince[slot] |= slots[other] == null ? 0 : slots[other].given();
        }
    }

    /** The kinds that an ended operation of a moderator spares if their rows follow its end. */
    private int addedSinceEnd(int slot) {
        return reach[slot] == ~0 ? 0 : reach[slot] & addedSince[slot];
    }

    private void open(int slot, Operation operation) {
        slots[slot] = operation;
        map(world -> world.awaiting(slot));
    }

    /** Registers that an open operation of a moderator was not and will not be applied. */
    void withdrawn(Operation moderation) {
        spread();
        int slot = slotOf(moderation);
        keep(world -> world.awaits(slot));
        close(slot);
    }

    /** Registers that an open operation of a moderator will not be applied any more. */
    void closed(Operation moderation) {
        spread();
        close(slotOf(moderation));
    }

    /**
     * Registers that an open operation of a moderator has left nothing to do. An import ignores
     * bans: its rows stay if they follow the last step of the job, whose end is observed later.
     *
     * @param isLast whether it will not be applied any more
     */
    void completed(Operation moderation, boolean isLast) {
        spread();
        int slot = slotOf(moderation);
        int sure = reach[slot] & ~addedSinceEnd(slot);
        var next = new HashMap<World, Changes>();
        worlds.forEach(
                (world, changes) -> {
                    World last = moderated(moderation, world, sure).without(slot);
                    next.merge(last, changes, Changes::or);
                    if (!world.awaits(slot)
                            && leavesNothing(moderation, world, sure & ~world.imported)) {
                        next.merge(world, changes, Changes::or);
                    }
                });
        worlds = next;
        if (isLast) {
            close(slot);
        }
    }

    /** Whether an operation of a moderator on these kinds would change nothing. */
    private static boolean leavesNothing(Operation moderation, World world, int kinds) {
        return switch (moderation.kind) {
            case SHOW -> world.hidden == 0;
            case STRIP -> ((world.state | world.hidden) & Space.kinds(kinds)) == 0;
            default -> (world.state & Space.kinds(kinds)) == 0;
        };
    }

    private void close(int slot) {
        map(world -> world.without(slot));
        slots[slot] = null;
    }

    private void map(UnaryOperator<World> change) {
        var next = new HashMap<World, Changes>();
        worlds.forEach((world, changes) -> next.merge(change.apply(world), changes, Changes::or));
        worlds = next;
    }

    /** The world after an operation of a moderator on these kinds. */
    private World moderated(Operation operation, World world, int kinds) {
        int rest = Space.without(world.state, kinds);
        return switch (operation.kind) {
            case HIDE -> {
                int part = Space.without(world.state, ~kinds);
                yield world.moderated(rest, space.withAll(world.hidden, part));
            }
            case STRIP -> world.moderated(rest, 0);
            case SHOW -> world.moderated(space.withAll(world.state, world.hidden), 0);
            default -> {
                int hidden = Space.without(world.hidden, operation.takesBack(space));
                yield world.moderated(operation.on(world.state, space), hidden);
            }
        };
    }

    private void takesBack(Operation operation) {
        for (int slot = 0; slot < SLOTS; slot++) {
            takenBack[slot] |= operation.takesBack(space);
        }
    }

    /** Registers that an open operation has been applied. */
    void settled(Operation operation) {
        spread();
        int slot = slotOf(operation);
        keep(world -> !world.awaits(slot));
        slots[slot] = null;
        terms.ended(operation);
    }

    /** Registers that no reaction is left, of a user without unknown writes. */
    void erased() {
        map(world -> new World(0, 0, 0, world.open));
    }

    boolean isOpen(Operation operation) {
        return slotOf(operation) >= 0;
    }

    /** Number of further writes that may become unknown. */
    int room() {
        return (int) Arrays.stream(slots, 0, MOST_OPEN).filter(Objects::isNull).count();
    }

    /** Whether an answer may show this state to the user. */
    boolean allows(int state) {
        spread();
        return worlds.keySet().stream().anyMatch(world -> world.state == state);
    }

    /** Whether these reactions may be stored for the user, and these be hidden. */
    boolean allows(int state, int hidden) {
        spread();
        return worlds.keySet().stream()
                .anyMatch(world -> world.state == state && world.hidden == hidden);
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

    /** Adds the worlds after open operations. */
    private void spread() {
        var all = new HashMap<>(worlds);
        var left = new ArrayDeque<>(worlds.keySet());
        while (!left.isEmpty()) {
            World world = left.poll();
            for (int slot = 0; slot < SLOTS; slot++) {
                for (World next : afters(slot, world)) {
                    var before = all.get(next);
                    int more = next.state == world.state ? 0 : slots[slot].changes();
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

    /** The worlds after the operation of a slot; none if it is not open or the rules forbid it. */
    private Set<World> afters(int slot, World world) {
        Operation operation = slots[slot];
        if (operation == null) {
            return Set.of();
        }
        World applied = world.without(slot);
        var afters = new HashSet<World>();
        if (operation.kind.isModeration) {
            int late = Space.kinds(world.state) & addedSinceEnd(slot);
            forEachSubset(
                    late,
                    spared -> afters.add(moderated(operation, applied, reach[slot] & ~spared)));
        } else if (world.awaits(slot)) {
            for (int after : afters(operation, world, takenBack[slot])) {
                afters.add(applied.written(after, operation.kind));
            }
        }
        return afters;
    }

    /**
     * The user's reactions that are possible after a write; none if the rules forbid it.
     *
     * @param back reactions that may have been taken back since the rows of an import
     */
    private Set<Integer> afters(Operation operation, World world, int back) {
        int whole = after(operation, world);
        if (whole == Operation.REFUSED) {
            return Set.of();
        }
        int optional = operation.kind == Operation.Kind.IMPORT ? whole & ~world.state & back : 0;
        var afters = new HashSet<Integer>();
        forEachSubset(optional, missing -> afters.add(whole & ~missing));
        return afters;
    }

    private static void forEachSubset(int set, IntConsumer each) {
        for (int subset = set; subset > 0; subset = (subset - 1) & set) {
            each.accept(subset);
        }
        each.accept(0);
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
        for (int slot = 0; slot < SLOTS; slot++) {
            if (slots[slot] == operation) {
                return slot;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return worlds.keySet().stream().map(this::text).distinct().sorted().toList().toString();
    }

    private String text(World world) {
        String hidden = world.hidden == 0 ? "" : " and hidden " + space.names(world.hidden);
        return space.names(world.state) + hidden;
    }
}
