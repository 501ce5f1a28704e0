package dev.ovation.outbox.batch;

import dev.ovation.hot.Event;
import dev.ovation.outbox.batch.Look.Entry;
import dev.ovation.outbox.batch.Look.Finding;
import dev.ovation.store.PartitionRow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One locked partition, its entries read. */
final class LockedPartition {

    static final String MALFORMED = "malformed";

    final Look look;
    final PartitionRow row;
    private final Finding finding;
    final List<Event> fresh = new ArrayList<>();
    private final List<Event> unacked = new ArrayList<>();
    final List<Entry> unreadable = new ArrayList<>();
    @Nullable Entry last;

    private LockedPartition(Look look, PartitionRow row) {
        this.look = look;
        this.row = row;
        this.finding = look.against(row);
        if (finding instanceof Finding.Continues continues) {
            for (Entry entry : continues.fresh()) {
                last = entry;
                read(entry, fresh, unreadable);
            }
            var passedOver = new ArrayList<Entry>();
            continues.unacked().forEach(entry -> read(entry, unacked, passedOver));
            unacked.addAll(named(passedOver));
        }
    }

    static LockedPartition of(PartitionRow row, Map<Integer, Look> looks) {
        return new LockedPartition(Objects.requireNonNull(looks.get(row.p())), row);
    }

    private static void read(Entry entry, List<Event> events, List<Entry> unreadable) {
        try {
            events.add(Event.read(entry.seq(), entry.fields()));
        } catch (IllegalArgumentException e) {
            unreadable.add(entry);
        }
    }

    /** What cannot be read, as far as its entity can be told of it. */
    private static List<Event> named(List<Entry> unreadable) {
        var named = new ArrayList<Event>();
        for (Entry entry : unreadable) {
            var event = Event.unreadable(entry.seq(), entry.fields());
            if (event != null) {
                named.add(event);
            }
        }
        return named;
    }

    Batch.Result result(Map<String, String> refused, Map<Integer, Set<Long>> passed) {
        var rejected = new HashSet<>(passed.getOrDefault(row.p(), Set.of()));
        var reasons = new ArrayList<String>();
        for (Entry entry : unreadable) {
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
        return new Batch.Result(
                look, finding, to, rejected, reasons, events, fresh.size() + unreadable.size());
    }
}
