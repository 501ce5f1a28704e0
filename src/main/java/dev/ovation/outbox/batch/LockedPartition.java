package dev.ovation.outbox.batch;

import dev.ovation.hot.state.Event;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.PartitionRow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One locked partition with its parsed entries. */
final class LockedPartition {

    static final String MALFORMED = "malformed";

    final OutboxSlice slice;
    final PartitionRow row;
    final ContinuityCheck finding;
    final List<Event> fresh = new ArrayList<>();
    private final List<Event> unacked = new ArrayList<>();
    final List<OutboxEntry> unreadable = new ArrayList<>();
    @Nullable OutboxEntry last;

    private LockedPartition(OutboxSlice slice, PartitionRow row) {
        this.slice = slice;
        this.row = row;
        this.finding = slice.against(row);
        if (finding instanceof ContinuityCheck.Continues continues) {
            for (OutboxEntry entry : continues.fresh()) {
                last = entry;
                read(entry, fresh, unreadable);
            }
            var passedOver = new ArrayList<OutboxEntry>();
            continues.unacked().forEach(entry -> read(entry, unacked, passedOver));
            unacked.addAll(named(passedOver));
        }
    }

    static LockedPartition of(PartitionRow row, Map<Integer, OutboxSlice> looks) {
        return new LockedPartition(Objects.requireNonNull(looks.get(row.p())), row);
    }

    /** Returns the well-formed events above the known watermark. */
    static List<Event> readable(OutboxSlice slice) {
        var events = new ArrayList<Event>();
        var unreadable = new ArrayList<OutboxEntry>();
        for (OutboxEntry entry : slice.entries()) {
            if (entry.seq() > slice.known()) {
                read(entry, events, unreadable);
            }
        }
        return events;
    }

    private static void read(OutboxEntry entry, List<Event> events, List<OutboxEntry> unreadable) {
        try {
            events.add(Event.read(entry.seq(), entry.fields()));
        } catch (IllegalArgumentException e) {
            unreadable.add(entry);
        }
    }

    /** Returns the malformed entries whose entity is readable. */
    private static List<Event> named(List<OutboxEntry> unreadable) {
        var named = new ArrayList<Event>();
        for (OutboxEntry entry : unreadable) {
            var event = Event.unreadable(entry.seq(), entry.fields());
            if (event != null) {
                named.add(event);
            }
        }
        return named;
    }

    RelayTransaction.PartitionResult result(
            Map<String, String> refused, Map<Integer, Set<Long>> passed) {
        var rejected = new HashSet<>(passed.getOrDefault(row.p(), Set.of()));
        var reasons = new ArrayList<String>();
        for (OutboxEntry entry : unreadable) {
            rejected.add(entry.seq());
            reasons.add(MALFORMED);
        }
        for (Event event : fresh) {
            String reason = refused.get(event.op());
            if (reason != null) {
                rejected.add(event.seq());
                reasons.add(reason);
            }
        }
        var events = new ArrayList<>(unacked);
        events.addAll(named(unreadable));
        events.addAll(fresh);
        events.sort(Comparator.comparingLong(Event::seq));
        long to = last == null ? row.appliedSeq() : last.seq();
        return new RelayTransaction.PartitionResult(
                slice, finding, to, rejected, reasons, events, fresh.size() + unreadable.size());
    }
}
