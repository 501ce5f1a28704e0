package dev.ovation.outbox.batch;

import dev.ovation.hot.Event;
import dev.ovation.hot.Fence;
import dev.ovation.store.PartitionRow;

import java.util.List;
import java.util.Map;

/**
 * What was seen of a partition's outbox, before its row was locked.
 *
 * @param p the partition
 * @param fence the fence under which it was looked at
 * @param known up to where events were known to be applied before looking
 * @param acked up to where events were acknowledged to Redis
 * @param proposed up to where events were proposed before looking
 * @param entries the first entries of the stream, of this epoch, in order
 * @param whole whether these are all entries
 */
public record Look(
        int p,
        Fence fence,
        long known,
        long acked,
        long proposed,
        List<Entry> entries,
        boolean whole) {

    /** An entry of the stream, not yet read. */
    public record Entry(long seq, Map<String, String> fields) {

        /** Returns its op id, empty when it has none. */
        public String op() {
            return fields.getOrDefault("op", "");
        }
    }

    /** What the locked row says about what was seen. */
    public sealed interface Finding {
        /** The epoch has gone on; whoever looked must attach again. */
        record Superseded() implements Finding {}

        /** The outbox does not continue what Postgres has applied; the epoch must end. */
        record OtherPast(String reason) implements Finding {}

        /** An entry has a form that this program does not know; the partition must stop there. */
        record UnknownSchema(long seq, String schema) implements Finding {}

        /**
         * What is to be applied after the row's cursor, and what is applied but not acknowledged.
         * Both may be empty.
         */
        record Continues(List<Entry> fresh, List<Entry> unacked) implements Finding {}
    }

    /** Returns whether there may be something to apply, to acknowledge, or to recover. */
    public boolean isWorthALock() {
        return last() > known || hasLost() || acked < known;
    }

    /** Returns the last event that was seen, 0 when there was none. */
    public long last() {
        return entries.isEmpty() ? 0 : entries.getLast().seq();
    }

    private boolean hasLost() {
        return whole && last() < Math.max(known, proposed);
    }

    /** Returns what would have been seen if the stream ended with event {@code seq}. */
    public Look until(long seq) {
        return new Look(
                p,
                fence,
                known,
                acked,
                proposed,
                entries.stream().filter(entry -> entry.seq() <= seq).toList(),
                false);
    }

    /** Judges what was seen against the locked row. */
    Finding against(PartitionRow row) {
        if (row.epoch() != fence.epoch()) {
            return new Finding.Superseded();
        }
        long applied = row.appliedSeq();
        if (hasLost()) {
            return new Finding.OtherPast("the outbox lost what follows event " + last());
        }
        if (last() < applied) {
            // Somebody applied more since this look, or acknowledgements lag; the next one sees
            // more.
            return new Finding.Continues(List.of(), unacked(applied));
        }
        if (applied > 0) {
            var anchor = entries.stream().filter(entry -> entry.seq() == applied).findFirst();
            if (anchor.isEmpty() || !row.appliedOp().equals(anchor.get().op())) {
                return new Finding.OtherPast("event " + applied + " is not the one applied");
            }
        }
        List<Entry> fresh = entries.stream().filter(entry -> entry.seq() > applied).toList();
        for (int i = 0; i < fresh.size(); i++) {
            if (fresh.get(i).seq() != applied + 1 + i) {
                return new Finding.OtherPast("event " + (applied + 1 + i) + " is missing");
            }
        }
        for (Entry entry : fresh) {
            String schema = String.valueOf(entry.fields().get("s"));
            if (!schema.equals(Event.SCHEMA)) {
                return stopBefore(entry.seq(), schema, fresh, applied);
            }
        }
        return new Finding.Continues(fresh, unacked(applied));
    }

    private Finding stopBefore(long seq, String schema, List<Entry> fresh, long applied) {
        List<Entry> before = fresh.stream().filter(entry -> entry.seq() < seq).toList();
        boolean nothingElse = before.isEmpty() && applied <= known && unacked(applied).isEmpty();
        return nothingElse
                ? new Finding.UnknownSchema(seq, schema)
                : new Finding.Continues(before, unacked(applied));
    }

    private List<Entry> unacked(long applied) {
        return entries.stream()
                .filter(entry -> entry.seq() > acked && entry.seq() <= applied)
                .toList();
    }
}
