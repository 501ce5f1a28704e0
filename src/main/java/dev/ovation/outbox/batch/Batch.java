package dev.ovation.outbox.batch;

import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.Event;
import dev.ovation.outbox.batch.Look.Entry;
import dev.ovation.outbox.batch.Look.Finding;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.RejectedEvents.Rejected;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One transaction of the relay: locks the rows of some partitions, applies what their outboxes hold
 * beyond the cursors, and moves the cursors last. What to apply is decided in memory, under the
 * locks; no command goes to Redis meanwhile.
 */
public final class Batch {

    private static final String DUPLICATE = "duplicate";

    private final PartitionTable partitions;
    private final EntityTable entities;
    private final ReactionTables reactions;
    private final IdempotencyTable idempotency;
    private final RejectedEvents rejections;

    /** Works on these tables. */
    public Batch(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections) {
        this.partitions = partitions;
        this.entities = entities;
        this.reactions = reactions;
        this.idempotency = idempotency;
        this.rejections = rejections;
    }

    /**
     * What the transaction says about one partition, once it is committed.
     *
     * @param look what was seen of it
     * @param finding what its row said about that
     * @param to its cursor now
     * @param rejected which events above {@code look.known()} were rejected, now or before
     * @param reasons why events were rejected now, one for each
     * @param events those applied or rejected now, and those from before that were not acknowledged
     * @param fresh how many entries were applied or rejected now
     */
    public record Result(
            Look look,
            Finding finding,
            long to,
            Set<Long> rejected,
            List<String> reasons,
            List<Event> events,
            int fresh) {}

    /**
     * Runs within a transaction of the caller.
     *
     * @param poison events that Postgres cannot store, by op, and why
     * @return what became of the partitions that could be locked; the others are in good hands
     */
    public List<Result> apply(List<Look> looks, Map<String, String> poison) {
        Map<Integer, Look> byPartition =
                looks.stream().collect(Collectors.toMap(Look::p, look -> look));
        var parts =
                partitions.lock(byPartition.keySet()).stream()
                        .map(row -> LockedPartition.of(row, byPartition))
                        .toList();
        List<Event> events = parts.stream().flatMap(part -> part.fresh.stream()).toList();
        Map<String, String> refused =
                events.isEmpty() ? Map.of() : judgeAndApply(events, epochs(parts), poison);
        reject(parts, refused);
        advance(parts);
        Map<Integer, Set<Long>> passed = passedBefore(parts);
        return parts.stream().map(part -> part.result(refused, passed)).toList();
    }

    /** Applies the events that hold and returns why the others do not, by op. */
    private Map<String, String> judgeAndApply(
            List<Event> events, Map<Event, Long> epochs, Map<String, String> poison) {
        var keys = events.stream().map(Event::key).collect(Collectors.toSet());
        var heads = entities.heads(keys);
        var judgement = Judgement.of(events, heads, poison);
        Set<String> duplicates = keepAnswers(judgement.accepted(), epochs);
        if (!duplicates.isEmpty()) {
            var refused = new HashMap<>(judgement.rejected());
            duplicates.forEach(op -> refused.put(op, DUPLICATE));
            var kept = judgement.accepted();
            judgement = Judgement.of(events, heads, refused);
            var rejected = judgement.rejected().keySet();
            takeBackAnswers(
                    kept.stream()
                            .filter(event -> rejected.contains(event.op()))
                            .filter(event -> !duplicates.contains(event.op()))
                            .toList());
        }
        if (!judgement.accepted().isEmpty()) {
            entities.advance(judgement.steps());
            var effects = judgement.effects();
            reactions.apply(effects.removed(), effects.added(), effects.touched());
        }
        return judgement.rejected();
    }

    /** Stores the answers of keyed events and returns the ops of those whose key was taken. */
    private Set<String> keepAnswers(List<Event> accepted, Map<Event, Long> epochs) {
        var entries = new ArrayList<IdempotencyTable.Entry>();
        for (Event event : accepted) {
            var keyed = event.keyed();
            if (keyed != null) {
                entries.add(
                        new IdempotencyTable.Entry(
                                key(event, keyed),
                                keyed.requestHash(),
                                event.op(),
                                new WriteAnswer(
                                        epochs.getOrDefault(event, 0L),
                                        event.version(),
                                        event.added(),
                                        event.removed(),
                                        keyed.counters(),
                                        keyed.own())));
            }
        }
        if (entries.isEmpty()) {
            return Set.of();
        }
        var taken = entries.stream().map(IdempotencyTable.Entry::op).collect(Collectors.toSet());
        taken.removeAll(idempotency.insert(entries));
        return taken;
    }

    /** Of events that rest on a duplicate. */
    private void takeBackAnswers(List<Event> undone) {
        var keys = new ArrayList<IdempotencyTable.Key>();
        for (Event event : undone) {
            var keyed = event.keyed();
            if (keyed != null) {
                keys.add(key(event, keyed));
            }
        }
        if (!keys.isEmpty()) {
            idempotency.delete(keys);
        }
    }

    private static IdempotencyTable.Key key(Event event, Event.Keyed keyed) {
        return new IdempotencyTable.Key(event.key().namespace(), event.user(), keyed.key());
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
            for (Entry entry : part.unreadable) {
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

    /** Returns the rejected events between what was known here and where the rows stood. */
    private Map<Integer, Set<Long>> passedBefore(List<LockedPartition> parts) {
        List<Range> ranges =
                parts.stream()
                        .filter(part -> part.row.appliedSeq() > part.look.known())
                        .map(part -> new Range(part.row.p(), part.row.epoch(), part.look.known()))
                        .toList();
        return ranges.isEmpty() ? Map.of() : rejections.within(ranges);
    }

    private static Map<Event, Long> epochs(Collection<LockedPartition> parts) {
        var epochs = new IdentityHashMap<Event, Long>();
        parts.forEach(part -> part.fresh.forEach(event -> epochs.put(event, part.row.epoch())));
        return epochs;
    }
}
