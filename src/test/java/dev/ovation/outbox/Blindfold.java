package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.PostgresModel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Disables a check of shipped code by passing it data that satisfies the check. */
final class Blindfold {

    private Blindfold() {}

    /** Makes the event applied last appear in the outbox. */
    static OutboxSlice anchorFits(OutboxSlice slice, PostgresModel.Rows rows) {
        var entries = new ArrayList<>(slice.entries());
        entries.removeIf(entry -> entry.seq() == rows.appliedSeq);
        if (rows.appliedSeq > 0 && slice.last() >= rows.appliedSeq) {
            entries.addFirst(new OutboxEntry(rows.appliedSeq, Map.of("op", rows.appliedOp)));
            entries.sort(java.util.Comparator.comparingLong(OutboxEntry::seq));
        }
        return with(slice, entries);
    }

    /** Gives each event the right base op if only the versions match. */
    static OutboxSlice versionsAreEnough(OutboxSlice slice, PostgresModel.Rows rows) {
        var heads = new HashMap<>(rows.heads);
        var entries = new ArrayList<OutboxEntry>();
        for (OutboxEntry entry : slice.entries()) {
            var fields = new HashMap<>(entry.fields());
            if (entry.seq() > rows.appliedSeq) {
                var key = new EntityKey(fields.get("n"), fields.get("e"));
                var head = heads.getOrDefault(key, EntityHead.NONE);
                if (fields.get("bv").equals(Long.toString(head.version()))) {
                    fields.put("base", head.op());
                    heads.put(
                            key, new EntityHead(Long.parseLong(fields.get("v")), fields.get("op")));
                }
            }
            entries.add(new OutboxEntry(entry.seq(), fields));
        }
        return with(slice, entries);
    }

    private static OutboxSlice with(OutboxSlice slice, List<OutboxEntry> entries) {
        return new OutboxSlice(
                slice.p(),
                slice.fence(),
                slice.known(),
                slice.acked(),
                slice.proposed(),
                entries,
                slice.whole(),
                slice.own());
    }
}
