package dev.ovation.protocol;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.outbox.InstanceModel;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.PostgresModel.Rows;
import dev.ovation.store.ReactionTables.UserReaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Records the requested changes and their answers, and checks the promises that follow. */
public final class Checker {

    private final World world;
    private final Map<String, Wish> wishes = new HashMap<>();
    private final Set<String> neverApplied = new HashSet<>();
    private final Set<String> mustBeApplied = new HashSet<>();
    private final Map<Writing, Set<String>> reasons = new HashMap<>();
    private final Map<Mine, Set<String>> lastShown = new HashMap<>();
    private final Map<Mine, Set<Wish>> unknown = new HashMap<>();
    private boolean postgresLost;
    private boolean somethingLost;
    private boolean keysRemoved;

    private record Mine(String user, EntityKey key) {}

    Checker(World world) {
        this.world = world;
    }

    /** Allows the loss of acknowledged changes from now on; all other promises hold. */
    void postgresLost() {
        postgresLost = true;
    }

    /** Allows gaps in an outbox, and events without their base, from now on. */
    void somethingIsLost() {
        somethingLost = true;
    }

    /**
     * Registers that keys were removed by hand. If they held an uncommitted change, the entity is
     * loaded without it, and may be changed again. Until that second change is rejected, reads do
     * not show the first one, whether it was acknowledged or not.
     */
    void keysAreRemoved() {
        somethingLost = true;
        keysRemoved = true;
    }

    /** Registers that an epoch ends because its outbox has another past. */
    public void epochEnds(String reason) {
        require(somethingLost || postgresLost, () -> "no epoch ends without a loss: " + reason);
    }

    /** Registers that an event is rejected because its base is not the committed state. */
    public void conflicts(Event event) {
        var applied = rows(event.key()).applied;
        boolean onCommitted = event.baseOp().isEmpty() || applied.contains(event.baseOp());
        require(
                somethingLost || postgresLost || !onCommitted,
                () -> "only a change on a rejected event conflicts: " + event);
    }

    void begins(Writing writing) {
        reasons.put(writing, new HashSet<>());
        lookForReasons(writing, rows(writing.wish().key).reactions.keySet());
    }

    private Rows rows(EntityKey key) {
        return world.postgres().committed(world.partitionOf(key));
    }

    private static Set<String> own(Set<UserReaction> rows, String user, EntityKey key) {
        var own = new HashSet<String>();
        for (String kind : Wish.KINDS) {
            if (rows.contains(new UserReaction(key, user, kind))) {
                own.add(kind);
            }
        }
        return own;
    }

    private static Set<String> shown(Set<UserReaction> rows, EntityKey key) {
        var shown = new HashSet<String>();
        rows.stream()
                .filter(row -> row.key().equals(key))
                .forEach(row -> shown.add(row.reaction()));
        return shown;
    }

    /** Records each reason for a refusal, or for no change, that these rows would be. */
    private void lookForReasons(Writing writing, Set<UserReaction> rows) {
        var found = reasons.get(writing);
        var wish = writing.wish();
        var own = own(rows, wish.user, wish.key);
        boolean there = own.contains(wish.reaction);
        if (there) {
            found.add("EXISTS");
        } else if (wish.excluded().stream().anyMatch(own::contains)) {
            found.add("CONFLICT");
        }
        if (there == wish.add) {
            found.add("unchanged");
        }
        if (!there && exceeds(rows, wish)) {
            found.add("LIMIT");
        }
    }

    private static boolean exceeds(Set<UserReaction> rows, Wish wish) {
        var after = new HashSet<>(rows);
        if (wish.force) {
            wish.excluded().forEach(id -> after.remove(new UserReaction(wish.key, wish.user, id)));
        }
        Set<String> kinds = new HashSet<>();
        after.stream()
                .filter(row -> row.key().equals(wish.key))
                .forEach(r -> kinds.add(r.reaction()));
        boolean shown = shown(rows, wish.key).contains(wish.reaction);
        return !shown && kinds.size() + 1 > Wish.LIMIT;
    }

    /** Checks a committed transaction of Postgres: each event must be valid on its base. */
    void committed(Rows[] before) {
        for (int p = 0; p < before.length; p++) {
            var after = world.postgres().committed(p);
            if (after != before[p]) {
                committed(before[p], after);
            }
        }
    }

    private void committed(Rows before, Rows after) {
        var reactions = new HashSet<>(before.reactions.keySet());
        var versions = new HashMap<EntityKey, Long>();
        before.heads.forEach((key, head) -> versions.put(key, head.version()));
        after.applied.stream()
                .skip(before.applied.size())
                .forEach(op -> apply(op, reactions, versions));
        require(reactions.equals(after.reactions.keySet()), "rows equal the applied events");
        var now = new HashMap<EntityKey, Long>();
        after.heads.forEach((key, head) -> now.put(key, head.version()));
        require(
                now.equals(versions),
                () -> "versions are without a gap: " + now + ", not " + versions);
        var counts = new HashMap<Object, Long>();
        reactions.forEach(row -> counts.merge(List.of(row.key(), row.reaction()), 1L, Long::sum));
        var counters = new HashMap<Object, Long>();
        after.counters.forEach(
                (of, it) -> counters.put(List.of(of.key(), of.reaction()), it.count()));
        require(
                counts.equals(counters),
                () -> "counts equal rows: " + counters + ", not " + counts);
        var users = new HashMap<EntityKey, Set<String>>();
        reactions.forEach(
                row -> users.computeIfAbsent(row.key(), _ -> new HashSet<>()).add(row.user()));
        after.people.forEach(
                (key, people) ->
                        require(
                                people == users.getOrDefault(key, Set.of()).size(),
                                () -> "people are the users with rows: " + people + " on " + key));
        require(after.people.keySet().containsAll(users.keySet()), "people are counted");
    }

    private void apply(String op, Set<UserReaction> reactions, Map<EntityKey, Long> versions) {
        var wish = wishes().get(op);
        require(wish != null, () -> op + " was requested by a client");
        if (!postgresLost) {
            require(
                    !neverApplied.contains(op),
                    () -> op + " was acknowledged as not applied: " + wish);
        }
        var own = new HashSet<String>();
        var kinds = new HashSet<String>();
        for (var row : reactions) {
            if (row.key().equals(wish.key)) {
                kinds.add(row.reaction());
                if (row.user().equals(wish.user)) {
                    own.add(row.reaction());
                }
            }
        }
        boolean there = own.contains(wish.reaction);
        if (wish.add && !there) {
            require(
                    wish.force || wish.excluded().stream().noneMatch(own::contains),
                    () -> "no two exclusive reactions: " + wish);
            boolean grows = !kinds.contains(wish.reaction);
            wish.excluded()
                    .forEach(id -> reactions.remove(new UserReaction(wish.key, wish.user, id)));
            reactions.add(new UserReaction(wish.key, wish.user, wish.reaction));
            long left =
                    reactions.stream()
                            .filter(row -> row.key().equals(wish.key))
                            .map(UserReaction::reaction)
                            .distinct()
                            .count();
            require(!grows || left <= Wish.LIMIT, () -> "at most two distinct reactions: " + wish);
        } else if (wish.add) {
            require(wish.existingIsFine, () -> "an existing reaction is not added again: " + wish);
        } else {
            reactions.remove(new UserReaction(wish.key, wish.user, wish.reaction));
        }
        boolean changes = there != wish.add;
        require(
                changes || !wish.idempotencyKey.isEmpty(),
                () -> op + " changes something: " + wish);
        versions.merge(wish.key, changes ? 1L : 0L, Long::sum);
        for (var client : world.clients()) {
            if (client.writing() != null && client.writing().wish().key.equals(wish.key)) {
                lookForReasons(client.writing(), reactions);
            }
        }
    }

    private Map<String, Wish> wishes() {
        for (var client : world.clients()) {
            if (client.writing() != null) {
                client.writing().ops().forEach(op -> wishes.put(op, client.writing().wish()));
            }
        }
        return wishes;
    }

    /** Registers the answer of a write. */
    void ended(Writing writing) {
        var wish = writing.wish();
        writing.ops().forEach(op -> wishes.put(op, wish));
        var applied = rows(wish.key).applied;
        var found = reasons.remove(writing);
        var mine = new Mine(wish.user, wish.key);
        switch (writing.outcome()) {
            case OK -> {
                if (!postgresLost) {
                    boolean unchanged = writing.because().equals("unchanged");
                    if (unchanged && wish.idempotencyKey.isEmpty()) {
                        require(
                                found.contains("unchanged"),
                                () -> "no change was needed: " + writing);
                    } else {
                        var done = wish.ops.stream().filter(applied::contains).toList();
                        require(
                                done.size() == 1,
                                () -> "acknowledged changes apply once: " + writing);
                        mustBeApplied.addAll(done);
                    }
                }
                lastShown.put(mine, own(rows(wish.key).reactions.keySet(), wish.user, wish.key));
            }
            case REFUSED -> {
                if (!postgresLost) {
                    require(
                            found.contains(writing.because()),
                            () ->
                                    "Postgres has a reason for "
                                            + writing.because()
                                            + ": "
                                            + writing);
                }
                refuse(writing, applied);
            }
            case UNAVAILABLE -> refuse(writing, applied);
            case UNKNOWN -> unknown.computeIfAbsent(mine, _ -> new HashSet<>()).add(wish);
        }
    }

    private void refuse(Writing writing, Set<String> applied) {
        if (!postgresLost) {
            require(
                    writing.ops().stream().noneMatch(applied::contains),
                    () -> "a refused change is not in Postgres: " + writing);
        }
        neverApplied.addAll(writing.ops());
    }

    /** Registers the own reactions that a read returned. */
    void read(String user, EntityKey key, List<String> own) {
        var mine = new Mine(user, key);
        Set<Wish> open = unknown.getOrDefault(mine, Set.of());
        if (postgresLost || keysRemoved || open.size() > 3) {
            return;
        }
        var possible = new HashSet<Set<String>>();
        grow(lastShown.getOrDefault(mine, Set.of()), List.copyOf(open), possible);
        require(
                possible.contains(Set.copyOf(own)),
                () -> user + " sees a possible state, " + possible + ", not " + own);
    }

    /**
     * Adds the states after writes with an unknown outcome, each applied at any time, at most once.
     */
    private static void grow(Set<String> own, List<Wish> open, Set<Set<String>> possible) {
        possible.add(own);
        for (Wish wish : open) {
            var others = new ArrayList<>(open);
            others.remove(wish);
            grow(wish.on(own), others, possible);
        }
    }

    /** Checks the invariant of each instant: the hot counts are those of the hot users. */
    void look() {
        var hot = world.servers().hot();
        for (EntityKey key : world.entities()) {
            var at = hot.partition(world.partitionOf(key));
            var counts = at.counts.get(key);
            var users = at.users.get(key);
            if (counts == null
                    || users == null
                    || counts.epoch != at.epoch
                    || users.epoch != at.epoch) {
                continue;
            }
            var counted = new HashMap<String, Long>();
            users.users
                    .values()
                    .forEach(
                            own -> own.reactions().forEach(id -> counted.merge(id, 1L, Long::sum)));
            require(counted.equals(counts(counts.counters)), "hot counts equal hot users");
            long people =
                    users.users.values().stream().filter(own -> !own.reactions().isEmpty()).count();
            require(people == counts.people, "hot people equal hot users");
            var rows = rows(key);
            boolean settled =
                    rows.epoch == at.epoch
                            && rows.incarnation.equals(at.incarnation)
                            && at.acked >= rows.appliedSeq;
            if (settled && !counts.dirty && !users.dirty && !postgresLost) {
                require(
                        counts.op.equals(rows.heads.getOrDefault(key, EntityHead.NONE).op()),
                        "clean and acknowledged state is the committed one");
            }
        }
    }

    private static Map<String, Long> counts(Map<String, Counter> counters) {
        var counts = new HashMap<String, Long>();
        counters.forEach((id, counter) -> counts.put(id, counter.count()));
        return counts;
    }

    /** Whether all requests have ended and every outbox is drained. */
    boolean isAllDone() {
        return whatIsLeft().isEmpty();
    }

    String whatIsLeft() {
        var left = new StringBuilder();
        world.clients().stream()
                .filter(client -> !client.isIdle())
                .forEach(client -> left.append(" a request of ").append(client.writing()));
        for (InstanceModel instance : world.instances()) {
            if (instance.waiting() > 0) {
                left.append(" a waiter of ").append(instance);
            }
            for (int p = 0; p < world.partitions(); p++) {
                if (!isAttached(instance, p)) {
                    left.append(' ').append(instance).append(" is not attached");
                }
            }
        }
        for (int p = 0; p < world.partitions(); p++) {
            var at = world.servers().hot().partition(p);
            if (at.epoch == 0 || at.seq > at.acked) {
                left.append(" events ").append(at.acked + 1).append(" to ").append(at.seq);
            }
        }
        return left.toString();
    }

    /**
     * Whether it is attached to the current master; a read under another fence shows no state of
     * it.
     */
    private boolean isAttached(InstanceModel instance, int p) {
        var fence = instance.fence(p);
        return fence != null
                && instance.server() == world.master()
                && fence.incarnation().equals(world.master().incarnation());
    }

    /** Checks the final state: no change is lost, and Redis equals Postgres. */
    void atTheEnd() {
        var all = new HashSet<String>();
        for (int p = 0; p < world.partitions(); p++) {
            all.addAll(world.postgres().committed(p).applied);
        }
        if (!postgresLost) {
            require(
                    all.containsAll(mustBeApplied),
                    () -> "acknowledged changes stay: " + mustBeApplied);
        }
        for (Wish wish : new HashSet<>(wishes().values())) {
            long times = wish.ops.stream().filter(all::contains).count();
            require(times <= 1, () -> "at most once: " + wish + " " + wish.ops);
        }
        world.entities().forEach(this::hotIsCommitted);
        world.servers().compare();
    }

    private void hotIsCommitted(EntityKey key) {
        var at = world.servers().hot().partition(world.partitionOf(key));
        var rows = rows(key);
        var head = rows.heads.getOrDefault(key, EntityHead.NONE);
        var counts = at.counts.get(key);
        if (counts != null && counts.epoch == at.epoch) {
            require(!counts.dirty, () -> "a committed entity is clean: " + key);
            require(
                    counts.version == head.version() && counts.op.equals(head.op()),
                    () -> "the hot state is the committed one: " + counts.op + ", not " + head);
            var committed = new HashMap<String, Counter>();
            rows.counters.forEach(
                    (of, counter) -> {
                        if (of.key().equals(key)) {
                            committed.put(of.reaction(), counter);
                        }
                    });
            require(counts.counters.equals(committed), "hot counts are the committed ones");
        }
        var users = at.users.get(key);
        if (users != null && users.epoch == at.epoch) {
            require(!users.dirty, () -> "users of a committed entity are clean: " + key);
            for (var client : List.of("ann", "ben", "cat")) {
                var own = users.users.get(client);
                var hot = own == null ? Set.of() : Set.copyOf(own.reactions());
                require(
                        hot.equals(own(rows.reactions.keySet(), client, key)),
                        "hot users are the committed ones");
            }
        }
    }

    private static void require(boolean holds, String promise) {
        require(holds, () -> promise);
    }

    private static void require(boolean holds, Supplier<String> promise) {
        if (!holds) {
            throw new Violation(promise.get());
        }
    }
}
