package dev.ovation.outbox.batch;

import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.store.PartitionRow;

import java.util.List;
import java.util.Map;

/**
 * Slice of a partition's outbox, read before its row was locked; or this instance's own events, as
 * they must be in the outbox.
 *
 * @param p the partition
 * @param fence the fence under which it was read
 * @param known last event that was known to be applied before the read
 * @param acked last event that was acknowledged to Redis
 * @param proposed last event that was proposed before the read
 * @param entries the first entries of the stream, of this epoch, in order
 * @param whole whether these are all entries
 * @param own whether these are own events, which the outbox may contradict
 */
public record OutboxSlice(
        int p,
        Fence fence,
        long known,
        long acked,
        long proposed,
        List<OutboxEntry> entries,
        boolean whole,
        boolean own) {

    /** Creates a slice of an outbox. */
    public OutboxSlice(
            int p,
            Fence fence,
            long known,
            long acked,
            long proposed,
            List<OutboxEntry> entries,
            boolean whole) {
        this(p, fence, known, acked, proposed, entries, whole, false);
    }

    /**
     * Creates a slice of own events. It does not know the acknowledged events, and says nothing
     * about events up to {@code known}.
     *
     * @param entries start with the one at {@code known}, of which only the op counts
     */
    static OutboxSlice atOwn(
            int p, Fence fence, long known, List<OutboxEntry> entries, boolean whole) {
        long last = entries.getLast().seq();
        return new OutboxSlice(p, fence, known, known, last, entries, whole, true);
    }

    /** An entry of the stream, not yet parsed. */
    public record OutboxEntry(long seq, Map<String, String> fields) {

        /** Returns its op id, empty when it has none. */
        public String op() {
            return fields.getOrDefault("op", "");
        }
    }

    /** Result of the continuity check against the locked row. */
    public sealed interface ContinuityCheck {
        /** A newer epoch exists; the instance must attach again. */
        record Superseded() implements ContinuityCheck {}

        /** The outbox does not continue what Postgres has applied; the epoch must end. */
        record OtherPast(String reason) implements ContinuityCheck {}

        /** Own events do not continue what Postgres has applied; the outbox must be read. */
        record Contradicted() implements ContinuityCheck {}

        /** An entry has an unknown schema version; the partition must stop there. */
        record UnknownSchema(long seq, String schema) implements ContinuityCheck {}

        /**
         * The entries to apply above the row's watermark, and those that are applied and not
         * acknowledged. Both lists may be empty.
         */
        record Continues(List<OutboxEntry> fresh, List<OutboxEntry> unacked)
                implements ContinuityCheck {}
    }

    /** Returns whether there may be an event to apply or to acknowledge, or a reason to recover. */
    public boolean isWorthALock() {
        return last() > known || hasLost() || acked < known;
    }

    /** Returns the last event of the slice, 0 when there is none. */
    public long last() {
        return entries.isEmpty() ? 0 : entries.getLast().seq();
    }

    private boolean hasLost() {
        return whole && last() < Math.max(known, proposed);
    }

    /** Returns the slice for a stream that ends with event {@code seq}. */
    public OutboxSlice until(long seq) {
        return new OutboxSlice(
                p,
                fence,
                known,
                acked,
                proposed,
                entries.stream().filter(entry -> entry.seq() <= seq).toList(),
                false,
                own);
    }

    /** Compares the slice with the locked row. */
    ContinuityCheck against(PartitionRow row) {
        if (row.epoch() != fence.epoch()) {
            return new ContinuityCheck.Superseded();
        }
        return own && row.appliedSeq() < known ? new ContinuityCheck.Contradicted() : follow(row);
    }

    private ContinuityCheck follow(PartitionRow row) {
        long applied = row.appliedSeq();
        if (hasLost()) {
            return otherPast("the outbox lost what follows event " + last());
        }
        if (last() < applied) {
            // Another relay applied more since this read, or acknowledgements lag; the next slice
            // has more.
            return new ContinuityCheck.Continues(List.of(), unacked(applied));
        }
        if (applied > 0) {
            var anchor = entries.stream().filter(entry -> entry.seq() == applied).findFirst();
            if (anchor.isEmpty() || !row.appliedOp().equals(anchor.get().op())) {
                return otherPast("event " + applied + " is not the one applied");
            }
        }
        List<OutboxEntry> fresh = entries.stream().filter(entry -> entry.seq() > applied).toList();
        for (int i = 0; i < fresh.size(); i++) {
            if (fresh.get(i).seq() != applied + 1 + i) {
                return otherPast("event " + (applied + 1 + i) + " is missing");
            }
        }
        for (OutboxEntry entry : fresh) {
            String schema = String.valueOf(entry.fields().get("s"));
            if (!schema.equals(Event.SCHEMA)) {
                return stopBefore(entry.seq(), schema, fresh, applied);
            }
        }
        return new ContinuityCheck.Continues(fresh, unacked(applied));
    }

    /** Only an outbox proves another past. */
    private ContinuityCheck otherPast(String reason) {
        return own ? new ContinuityCheck.Contradicted() : new ContinuityCheck.OtherPast(reason);
    }

    private ContinuityCheck stopBefore(
            long seq, String schema, List<OutboxEntry> fresh, long applied) {
        List<OutboxEntry> before = fresh.stream().filter(entry -> entry.seq() < seq).toList();
        boolean nothingElse = before.isEmpty() && applied <= known && unacked(applied).isEmpty();
        return nothingElse
                ? new ContinuityCheck.UnknownSchema(seq, schema)
                : new ContinuityCheck.Continues(before, unacked(applied));
    }

    private List<OutboxEntry> unacked(long applied) {
        return entries.stream()
                .filter(entry -> entry.seq() > acked && entry.seq() <= applied)
                .toList();
    }
}
