package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.batch.Look;
import dev.ovation.outbox.batch.Look.Entry;
import dev.ovation.store.EntityTable.Head;
import dev.ovation.store.PostgresModel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes shipped code blind to what a rule has it look at, by showing it what it wants to see. */
final class Blindfold {

    private Blindfold() {}

    /** The event that was applied last is there, whatever the outbox holds. */
    static Look anchorFits(Look look, PostgresModel.Rows rows) {
        var entries = new ArrayList<>(look.entries());
        entries.removeIf(entry -> entry.seq() == rows.appliedSeq);
        if (rows.appliedSeq > 0 && look.last() >= rows.appliedSeq) {
            entries.addFirst(new Entry(rows.appliedSeq, Map.of("op", rows.appliedOp)));
            entries.sort(java.util.Comparator.comparingLong(Entry::seq));
        }
        return with(look, entries);
    }

    /** Each event rests on the right op if only the versions fit. */
    static Look versionsAreEnough(Look look, PostgresModel.Rows rows) {
        var heads = new HashMap<>(rows.heads);
        var entries = new ArrayList<Entry>();
        for (Entry entry : look.entries()) {
            var fields = new HashMap<>(entry.fields());
            if (entry.seq() > rows.appliedSeq) {
                var key = new EntityKey(fields.get("n"), fields.get("e"));
                var head = heads.getOrDefault(key, Head.NONE);
                if (fields.get("bv").equals(Long.toString(head.version()))) {
                    fields.put("base", head.op());
                    heads.put(key, new Head(Long.parseLong(fields.get("v")), fields.get("op")));
                }
            }
            entries.add(new Entry(entry.seq(), fields));
        }
        return with(look, entries);
    }

    private static Look with(Look look, List<Entry> entries) {
        return new Look(
                look.p(),
                look.fence(),
                look.known(),
                look.acked(),
                look.proposed(),
                entries,
                look.whole());
    }
}
