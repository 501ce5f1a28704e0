package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.Numbers;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.RejectedEvents.Rejected;
import dev.ovation.store.log.ChangeLog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * One transaction of the relay. It locks the rows of some partitions, applies the events of their
 * outboxes above the watermarks, and moves the watermarks last. It decides in memory, under the
 * locks, which events to apply. No command is sent to Redis meanwhile.
 */
public final class RelayTransaction {

    private static final String DUPLICATE = "duplicate";

    private final PartitionTable partitions;
    private final EntityTable entities;
    private final ReactionTables reactions;
    private final IdempotencyTable idempotency;
    private final RejectedEvents rejections;
    private final ChangeLog log;

    /** Creates a batch on these tables. */
    public RelayTransaction(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections,
            ChangeLog log) {
        this.partitions = partitions;
        this.entities = entities;
        this.reactions = reactions;
        this.idempotency = idempotency;
        this.rejections = rejections;
        this.log = log;
    }

    /**
     * Result of the transaction for one partition, once it is committed.
     *
     * @param slice the slice
     * @param finding result of the continuity check
     * @param to the watermark after the transaction
     * @param rejected events above {@code look.known()} that were rejected, now or before
     * @param reasons why events were rejected now, one for each
     * @param events those applied or rejected now, and earlier ones that were not acknowledged
     * @param fresh number of entries that were applied or rejected now
     */
    public record PartitionResult(
            OutboxSlice slice,
            ContinuityCheck finding,
            long to,
            Set<Long> rejected,
            List<String> reasons,
            List<Event> events,
            int fresh) {

        /** Returns whether the transaction has applied an event, and not rejected it. */
        public boolean hasApplied(long seq) {
            return seq > to - fresh && seq <= to && !rejected.contains(seq);
        }

        /** Enters the {@code traceparent} of each applied event whose request is sampled, by op. */
        public void traces(Map<String, String> traces) {
            for (OutboxEntry entry : slice.entries()) {
                String trace = entry.fields().get(Event.TRACE);
                if (trace != null && hasApplied(entry.seq())) {
                    traces.put(entry.op(), trace);
                }
            }
        }
    }

    /**
     * Runs within a transaction of the caller.
     *
     * @param poison events that Postgres cannot store, by op, and why
     * @return the results of the partitions that could be locked; another relay holds the others
     */
    public List<PartitionResult> apply(List<OutboxSlice> looks, Map<String, String> poison) {
        Map<Integer, OutboxSlice> byPartition =
                looks.stream().collect(Collectors.toMap(OutboxSlice::p, slice -> slice));
        List<PartitionRow> locked = partitions.lock(byPartition.keySet());
        log.note(locked);
        var parts = locked.stream().map(row -> LockedPartition.of(row, byPartition)).toList();
        List<Event> events = parts.stream().flatMap(part -> part.fresh.stream()).toList();
        Map<String, String> refused =
                events.isEmpty() ? Map.of() : judgeAndApply(events, rows(parts), poison);
        reject(parts, refused);
        advance(parts);
        Map<Integer, Set<Long>> passed = passedBefore(parts);
        return parts.stream().map(part -> part.result(refused, passed)).toList();
    }

    /**
     * Gives numbers to the reactions of new events that have none, before their transaction.
     *
     * @param poison events whose reactions get none, by op
     */
    public void number(List<OutboxSlice> looks, Set<String> poison) {
        var events =
                looks.stream()
                        .flatMap(slice -> LockedPartition.readable(slice).stream())
                        .filter(event -> !poison.contains(event.op()))
                        .toList();
        reactions.number(reactionsOf(events), new Numbers(new HashMap<>(), new HashMap<>()));
    }

    /** Applies the accepted events and returns the reasons against the others, by op. */
    private Map<String, String> judgeAndApply(
            List<Event> events, Map<Event, PartitionRow> rows, Map<String, String> poison) {
        var keys = events.stream().map(Event::key).collect(Collectors.toSet());
        var sound = events.stream().filter(event -> !poison.containsKey(event.op())).toList();
        var found = entities.find(keys, reactionsOf(sound));
        var heads = found.heads();
        var numbers = found.numbers();
        var validation = EventValidation.of(events, heads, poison);
        reactions.number(reactionsOf(validation.accepted()), numbers);
        Set<String> duplicates = keepAnswers(validation.accepted(), rows);
        if (!duplicates.isEmpty()) {
            var refused = new HashMap<>(validation.rejected());
            duplicates.forEach(op -> refused.put(op, DUPLICATE));
            var kept = validation.accepted();
            validation = EventValidation.of(events, heads, refused);
            var rejected = validation.rejected().keySet();
            takeBackAnswers(
                    kept.stream()
                            .filter(event -> rejected.contains(event.op()))
                            .filter(event -> !duplicates.contains(event.op()))
                            .toList());
        }
        if (!validation.accepted().isEmpty()) {
            numbers.entities().putAll(entities.advance(validation.steps(partitionsOf(rows))));
            var effects = validation.effects();
            reactions.apply(
                    numbers,
                    effects.removed(),
                    effects.added(),
                    effects.forms(),
                    effects.touched());
            append(validation.accepted(), rows, numbers);
        }
        return validation.rejected();
    }

    private void append(List<Event> accepted, Map<Event, PartitionRow> rows, Numbers numbers) {
        var logged =
                accepted.stream()
                        .filter(event -> Objects.requireNonNull(rows.get(event)).logged())
                        .toList();
        if (logged.isEmpty()) {
            return;
        }
        var changes = LoggedChanges.of(logged, partitionsOf(rows));
        if (!changes.isEmpty()) {
            log.append(changes, numbers.entities());
        }
    }

    /** Stores the answers of keyed events and returns the ops of those whose key was taken. */
    private Set<String> keepAnswers(List<Event> accepted, Map<Event, PartitionRow> rows) {
        var entries = new ArrayList<IdempotencyTable.IdempotencyEntry>();
        for (Event event : accepted) {
            var keyed = event.keyed();
            if (keyed != null) {
                long epoch = Objects.requireNonNull(rows.get(event)).epoch();
                entries.add(KeyedAnswers.entry(event, keyed, epoch));
            }
        }
        if (entries.isEmpty()) {
            return Set.of();
        }
        var taken =
                entries.stream()
                        .map(IdempotencyTable.IdempotencyEntry::op)
                        .collect(Collectors.toSet());
        taken.removeAll(idempotency.insert(entries));
        return taken;
    }

    /** Deletes the answers of events that depend on a duplicate. */
    private void takeBackAnswers(List<Event> undone) {
        var keys = new ArrayList<IdempotencyTable.UsedKey>();
        for (Event event : undone) {
            var keyed = event.keyed();
            if (keyed != null) {
                keys.add(KeyedAnswers.used(event, keyed));
            }
        }
        if (!keys.isEmpty()) {
            idempotency.delete(keys);
        }
    }

    private void reject(List<LockedPartition> parts, Map<String, String> refused) {
        var rejected = new ArrayList<Rejected>();
        for (LockedPartition part : parts) {
            long epoch = part.row.epoch();
            for (Event event : part.fresh) {
                String reason = refused.get(event.op());
                if (reason != null) {
                    rejected.add(
                            new Rejected(part.row.p(), epoch, event.seq(), event.op(), reason));
                }
            }
            for (OutboxEntry entry : part.unreadable) {
                rejected.add(
                        new Rejected(
                                part.row.p(),
                                epoch,
                                entry.seq(),
                                entry.op(),
                                LockedPartition.MALFORMED));
            }
        }
        if (!rejected.isEmpty()) {
            rejections.insert(rejected);
        }
    }

    private void advance(List<LockedPartition> parts) {
        var steps = new ArrayList<Advance>();
        for (LockedPartition part : parts) {
            if (part.last != null) {
                steps.add(
                        new Advance(
                                part.row.p(),
                                part.row.epoch(),
                                part.row.appliedSeq(),
                                part.last.seq(),
                                part.last.op()));
            }
        }
        if (!steps.isEmpty()) {
            partitions.advance(steps);
        }
    }

    /** Returns the rejected events between the known watermark and that of the rows. */
    private Map<Integer, Set<Long>> passedBefore(List<LockedPartition> parts) {
        List<Range> ranges =
                parts.stream()
                        .filter(part -> part.row.appliedSeq() > part.slice.known())
                        .map(part -> new Range(part.row.p(), part.row.epoch(), part.slice.known()))
                        .toList();
        return ranges.isEmpty() ? Map.of() : rejections.within(ranges);
    }

    /** Returns the row of the partition of each event. */
    private static Map<Event, PartitionRow> rows(Collection<LockedPartition> parts) {
        var rows = new IdentityHashMap<Event, PartitionRow>();
        parts.forEach(part -> part.fresh.forEach(event -> rows.put(event, part.row)));
        return rows;
    }

    private static ToIntFunction<EntityKey> partitionsOf(Map<Event, PartitionRow> rows) {
        var partitions = new HashMap<EntityKey, Integer>();
        rows.forEach((event, row) -> partitions.put(event.key(), row.p()));
        return key -> Objects.requireNonNull(partitions.get(key));
    }

    private static Set<String> reactionsOf(List<Event> events) {
        var reactions = new HashSet<String>();
        for (Event event : events) {
            reactions.addAll(event.added());
            event.touched().forEach(counter -> reactions.add(counter.reaction()));
        }
        return reactions;
    }
}
