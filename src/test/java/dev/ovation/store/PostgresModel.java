package dev.ovation.store;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.store.RelayFunction.ExpectedWatermark;
import dev.ovation.store.RelayFunction.RelayChange;
import dev.ovation.store.shard.Shards;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Postgres of the model: rows that transactions lock and change, and that can be reset to an
 * earlier commit. The tables are the shipped classes with their statements replaced. All rows of a
 * partition belong to the partition's row. By a rule of the protocol no transaction writes without
 * that lock, so a transaction works on copies of the rows that it has locked.
 */
public final class PostgresModel {

    /** The rows of one partition. */
    public static final class Rows {
        public long epoch;
        public String incarnation = "";
        public long takenAt = Long.MIN_VALUE / 2;
        public long appliedSeq;
        public String appliedOp = "";
        public final Map<Long, Long> finalSeqs = new HashMap<>();
        public final Map<Long, Set<Long>> rejected = new HashMap<>();
        public final Map<EntityKey, EntityHead> heads = new HashMap<>();
        public final Map<EntityKey, Long> lastAts = new HashMap<>();
        public final Map<EntityKey, Integer> people = new HashMap<>();
        public final Map<CounterKey, Counter> counters = new HashMap<>();
        public final Map<UserReaction, Long> reactions = new HashMap<>();
        public final Map<IdempotencyTable.IdempotencyScope, IdempotencyTable.IdempotencyEntry>
                answers = new HashMap<>();

        /** Not a table: the ops of all applied events, in order, for the checker. */
        public final Set<String> applied = new LinkedHashSet<>();

        private Rows copy() {
            var copy = new Rows();
            copy.epoch = epoch;
            copy.incarnation = incarnation;
            copy.takenAt = takenAt;
            copy.appliedSeq = appliedSeq;
            copy.appliedOp = appliedOp;
            copy.finalSeqs.putAll(finalSeqs);
            rejected.forEach((of, seqs) -> copy.rejected.put(of, new HashSet<>(seqs)));
            copy.heads.putAll(heads);
            copy.lastAts.putAll(lastAts);
            copy.people.putAll(people);
            copy.counters.putAll(counters);
            copy.reactions.putAll(reactions);
            copy.answers.putAll(answers);
            copy.applied.addAll(applied);
            return copy;
        }

        private PartitionRow row(int p, long now) {
            return new PartitionRow(p, epoch, incarnation, now - takenAt, appliedSeq, appliedOp);
        }
    }

    /** An open transaction with its own copy of the rows that it has locked. */
    public final class Transaction {
        private final Map<Integer, Rows> locked = new TreeMap<>();

        private Transaction() {}

        /** Runs an action in which the tables use the rows of this transaction. */
        public <T> T within(java.util.function.Supplier<T> work) {
            current = this;
            try {
                return work.get();
            } finally {
                current = null;
            }
        }

        /** The locked rows of a partition. */
        public Rows rows(int p) {
            return locked.get(p);
        }

        /** Makes its rows visible to all. */
        public void commit() {
            var next = committed.clone();
            locked.forEach((p, rows) -> next[p] = rows);
            past.add(committed);
            committed = next;
            rollback();
        }

        public boolean isOpen() {
            return open.contains(this);
        }

        /** Releases its locks. */
        public void rollback() {
            open.remove(this);
        }
    }

    private final ToIntFunction<EntityKey> partitionOf;
    private final List<Rows[]> past = new ArrayList<>();
    private final Set<Transaction> open = new HashSet<>();
    private Rows[] committed;
    private @Nullable Transaction current;

    /** The clock of Postgres, in milliseconds. */
    public long now;

    /** Breaks a rule: locked rows are not skipped. */
    public boolean ignoresLocks;

    /** Breaks a rule: a taken key is not found. */
    public boolean ignoresKeys;

    public PostgresModel(int partitions, ToIntFunction<EntityKey> partitionOf) {
        this.partitionOf = partitionOf;
        committed = new Rows[partitions];
        for (int p = 0; p < partitions; p++) {
            committed[p] = new Rows();
        }
    }

    public Transaction begin() {
        var transaction = new Transaction();
        open.add(transaction);
        return transaction;
    }

    /** The committed rows of a partition. */
    public Rows committed(int p) {
        return committed[p];
    }

    public int partitions() {
        return committed.length;
    }

    /** Every committed row as text. */
    public TreeSet<String> contents() {
        var all = new TreeSet<String>();
        for (int p = 0; p < committed.length; p++) {
            var rows = committed[p];
            String at = p + " ";
            all.add(
                    "partition "
                            + at
                            + text(rows.epoch, rows.incarnation, rows.appliedSeq, rows.appliedOp));
            rows.finalSeqs.forEach((epoch, end) -> all.add("epoch " + at + text(epoch, end)));
            rows.rejected.forEach(
                    (epoch, seqs) ->
                            seqs.forEach(seq -> all.add("rejected " + at + text(epoch, seq))));
            rows.heads.forEach(
                    (key, head) ->
                            all.add(
                                    "entity "
                                            + text(
                                                    key.entity(),
                                                    head.version(),
                                                    head.op(),
                                                    rows.lastAts.get(key),
                                                    rows.people.getOrDefault(key, 0))));
            rows.counters.forEach(
                    (of, it) ->
                            all.add(
                                    "counter "
                                            + text(
                                                    of.key().entity(),
                                                    of.reaction(),
                                                    it.count(),
                                                    it.firstAt(),
                                                    it.lastAt())));
            rows.reactions.forEach(
                    (row, time) ->
                            all.add(
                                    "reaction "
                                            + text(
                                                    row.key().entity(),
                                                    row.user(),
                                                    row.reaction(),
                                                    time)));
            rows.answers.forEach(
                    (key, entry) -> all.add("answer " + text(key.user(), key.key(), entry.op())));
        }
        return all;
    }

    private static String text(Object... values) {
        return Stream.of(values).map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Number of commits that can be lost. */
    public int commits() {
        return past.size();
    }

    /** Loses the last commits, like an asynchronous replica or an older copy. */
    public void restore(int lost) {
        open.clear();
        int kept = past.size() - lost;
        committed = past.get(kept);
        past.subList(kept, past.size()).clear();
    }

    /** Ends all open transactions without their changes. */
    public void killSessions() {
        open.clear();
    }

    private Rows rows(int p) {
        return current != null && current.locked.containsKey(p)
                ? current.locked.get(p)
                : committed[p];
    }

    private Rows rows(EntityKey key) {
        return rows(partitionOf.applyAsInt(key));
    }

    /** The watermarks and the locks. */
    public final PartitionTable partitions =
            new PartitionTable(null, Shards.undivided()) {
                @Override
                public List<PartitionRow> all() {
                    var all = new ArrayList<PartitionRow>();
                    for (int p = 0; p < committed.length; p++) {
                        all.add(committed[p].row(p, now));
                    }
                    return all;
                }

                @Override
                public List<PartitionRow> lock(Collection<Integer> wanted) {
                    var found = new ArrayList<PartitionRow>();
                    for (int p : wanted.stream().sorted().toList()) {
                        if (ignoresLocks
                                || open.stream().noneMatch(one -> one.locked.containsKey(p))) {
                            current.locked.put(p, committed[p].copy());
                            found.add(committed[p].row(p, now));
                        }
                    }
                    return found;
                }

                @Override
                public void advance(List<Advance> steps) {
                    for (var step : steps) {
                        var rows = rows(step.p());
                        if (rows.epoch != step.epoch() || rows.appliedSeq != step.from()) {
                            throw new IllegalStateException("a watermark moved under a lock");
                        }
                        rows.appliedSeq = step.to();
                        rows.appliedOp = step.op();
                    }
                }

                @Override
                public void succeed(List<Succession> successions) {
                    for (var next : successions) {
                        var rows = rows(next.p());
                        if (next.epoch() > 0) {
                            rows.finalSeqs.put(next.epoch(), next.finalSeq());
                        }
                        rows.epoch = next.newEpoch();
                        rows.incarnation = next.newIncarnation();
                        rows.takenAt = now;
                        rows.appliedSeq = 0;
                        rows.appliedOp = "";
                    }
                }

                @Override
                public OptionalLong finalSeq(int p, long epoch) {
                    Long end = rows(p).finalSeqs.get(epoch);
                    return end == null ? OptionalLong.empty() : OptionalLong.of(end);
                }
            };

    /** The heads of the entities. */
    public final EntityTable entities =
            new EntityTable(null, Shards.undivided()) {
                @Override
                public Found find(Collection<EntityKey> keys, Collection<String> reactions) {
                    var heads = new HashMap<EntityKey, EntityHead>();
                    for (EntityKey key : keys) {
                        EntityHead head = rows(key).heads.get(key);
                        if (head != null) {
                            heads.put(key, head);
                        }
                    }
                    return new Found(heads, new Numbers(new HashMap<>(), new HashMap<>()));
                }

                @Override
                public Map<EntityKey, EntityNo> advance(List<EntityStep> steps) {
                    for (var step : steps) {
                        var rows = rows(step.key());
                        if (!step.base()
                                .equals(rows.heads.getOrDefault(step.key(), EntityHead.NONE))) {
                            throw new IllegalStateException("an entity changed under a lock");
                        }
                        rows.heads.put(step.key(), step.head());
                        rows.lastAts.put(step.key(), step.at());
                    }
                    return Map.of();
                }
            };

    /** The reactions and their counts. */
    public final ReactionTables reactions =
            new ReactionTables(null, Shards.undivided()) {
                @Override
                public void number(Collection<String> reactions, Numbers numbers) {}

                @Override
                public void apply(
                        Numbers numbers,
                        Map<UserReaction, Long> removed,
                        Map<UserReaction, Long> added,
                        Map<UserReaction, String> forms,
                        Map<CounterKey, CounterTimes> touched) {
                    removed.keySet()
                            .forEach(
                                    row -> {
                                        if (rows(row.key()).reactions.remove(row) != null) {
                                            count(row, -1);
                                            meet(row, 0, -1);
                                        }
                                    });
                    added.forEach(
                            (row, at) -> {
                                if (rows(row.key()).reactions.putIfAbsent(row, at) == null) {
                                    count(row, 1);
                                    meet(row, 1, 1);
                                }
                            });
                    touched.forEach(
                            (counter, times) ->
                                    rows(counter.key())
                                            .counters
                                            .computeIfPresent(
                                                    counter,
                                                    (_, old) ->
                                                            old.count() == 0
                                                                    ? null
                                                                    : new Counter(
                                                                            old.reaction(),
                                                                            old.count(),
                                                                            times.firstAt(),
                                                                            times.lastAt())));
                }

                /** Adds {@code step} to the people when the user has so many rows now. */
                private void meet(UserReaction row, long rows, int step) {
                    var all = rows(row.key());
                    long its =
                            all.reactions.keySet().stream()
                                    .filter(one -> one.key().equals(row.key()))
                                    .filter(one -> one.user().equals(row.user()))
                                    .count();
                    if (its == rows) {
                        all.people.merge(row.key(), step, Integer::sum);
                    }
                }

                private void count(UserReaction row, long step) {
                    rows(row.key())
                            .counters
                            .merge(
                                    new CounterKey(row.key(), row.reaction()),
                                    new Counter(row.reaction(), step, 0, 0),
                                    (a, b) ->
                                            new Counter(a.reaction(), a.count() + b.count(), 0, 0));
                }
            };

    /** The stored answers; no key is used on entities of two partitions. */
    public final IdempotencyTable idempotency =
            new IdempotencyTable(null, Shards.undivided()) {
                @Override
                public Optional<IdempotencyEntry> find(IdempotencyScope key, String entity) {
                    for (int p = 0; p < committed.length; p++) {
                        IdempotencyEntry found = rows(p).answers.get(key);
                        if (found != null) {
                            return Optional.of(asked(found, entity));
                        }
                    }
                    return Optional.empty();
                }

                /** No column has the entity of a key, so an entry names that of the request. */
                private static IdempotencyEntry asked(IdempotencyEntry found, String entity) {
                    return new IdempotencyEntry(
                            found.key(), entity, found.requestHash(), found.op(), found.answer());
                }

                @Override
                public Set<String> insert(List<IdempotencyEntry> entries) {
                    var inserted = new HashSet<String>();
                    for (var entry : entries) {
                        var answers = current.locked.get(partitionOf(entry)).answers;
                        if (answers.putIfAbsent(entry.key(), entry) == null || ignoresKeys) {
                            inserted.add(entry.op());
                        }
                    }
                    return inserted;
                }

                /** A key contains the entity on which it is used. */
                private int partitionOf(IdempotencyEntry entry) {
                    String entity = entry.key().key().split(" ")[0];
                    return partitionOf.applyAsInt(new EntityKey(entry.key().namespace(), entity));
                }

                @Override
                public void delete(List<UsedKey> used) {
                    var keys = used.stream().map(UsedKey::key).toList();
                    current.locked.values().forEach(rows -> rows.answers.keySet().removeAll(keys));
                }
            };

    /** The rejected events below the watermarks. */
    public final RejectedEvents rejections =
            new RejectedEvents(null, Shards.undivided()) {
                @Override
                public void insert(List<Rejected> events) {
                    for (var event : events) {
                        rows(event.p())
                                .rejected
                                .computeIfAbsent(event.epoch(), _ -> new HashSet<>())
                                .add(event.seq());
                    }
                }

                @Override
                public Map<Integer, Set<Long>> within(Collection<Range> ranges) {
                    var found = new HashMap<Integer, Set<Long>>();
                    for (var range : ranges) {
                        var above =
                                new HashSet<>(
                                        rows(range.p())
                                                .rejected
                                                .getOrDefault(range.epoch(), Set.of()));
                        above.removeIf(seq -> seq <= range.after());
                        if (!above.isEmpty()) {
                            found.put(range.p(), above);
                        }
                    }
                    return found;
                }
            };

    /** A whole transaction of the relay; its owner rolls it back unless it is applied. */
    public final RelayFunction function =
            new RelayFunction(null, null, Shards.undivided()) {
                @Override
                public CallResult call(RelayChange change) {
                    var expected = change.watermarks();
                    var advances = expected.stream().map(ExpectedWatermark::advance).toList();
                    int locked = partitions.lock(advances.stream().map(Advance::p).toList()).size();
                    if (locked != expected.size() || !expected.stream().allMatch(this::isThere)) {
                        return CallResult.PARTITION;
                    }
                    var answers = change.answers();
                    if (idempotency.insert(answers).size() != answers.size()) {
                        return CallResult.KEY;
                    }
                    try {
                        entities.advance(change.steps());
                    } catch (IllegalStateException e) {
                        return CallResult.BASE;
                    }
                    var removed = change.removed();
                    if (change.added().keySet().stream()
                            .anyMatch(row -> !removed.containsKey(row) && exists(row))) {
                        return CallResult.ROW;
                    }
                    reactions.apply(
                            new Numbers(Map.of(), Map.of()),
                            removed,
                            change.added(),
                            change.forms(),
                            change.touched());
                    partitions.advance(advances);
                    return CallResult.APPLIED;
                }

                private boolean exists(UserReaction row) {
                    return rows(row.key()).reactions.containsKey(row);
                }

                private boolean isThere(ExpectedWatermark expected) {
                    var rows = rows(expected.advance().p());
                    return rows.epoch == expected.advance().epoch()
                            && rows.appliedSeq == expected.advance().from()
                            && rows.appliedOp.equals(expected.op());
                }
            };

    /** Reads of a loader. */
    public final Snapshots snapshots =
            new Snapshots(null, Shards.undivided()) {
                @Override
                public List<EntitySnapshot> entities(List<Wanted> wanted, int limit) {
                    return wanted.stream().map(each -> all(each.p(), each.key())).toList();
                }

                private EntitySnapshot all(int p, EntityKey key) {
                    var rows = committed[p];
                    var head = rows.heads.getOrDefault(key, EntityHead.NONE);
                    var counters = new ArrayList<Counter>();
                    rows.counters.forEach(
                            (of, counter) -> {
                                if (of.key().equals(key)) {
                                    counters.add(counter);
                                }
                            });
                    counters.sort(java.util.Comparator.comparing(Counter::reaction));
                    var users = new TreeMap<String, List<String>>();
                    rows.reactions.entrySet().stream()
                            .filter(row -> row.getKey().key().equals(key))
                            .sorted(Map.Entry.comparingByValue())
                            .forEach(
                                    row ->
                                            users.computeIfAbsent(
                                                            row.getKey().user(),
                                                            _ -> new ArrayList<>())
                                                    .add(row.getKey().reaction()));
                    long at = rows.lastAts.getOrDefault(key, 0L);
                    return new EntitySnapshot(
                            rows.epoch,
                            head.version(),
                            head.op(),
                            at,
                            rows.people.getOrDefault(key, 0),
                            counters,
                            true,
                            users);
                }
            };
}
