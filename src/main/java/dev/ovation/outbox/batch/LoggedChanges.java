package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.store.RelayFunction.LoggedChange;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The rows of table {@code change_log} that belong to events. */
final class LoggedChanges {

    private static final JsonMapper JSON = JsonMapper.shared();

    private LoggedChanges() {}

    /** The reactions of a change, by their keys, and their counts after it. */
    private record ChangeJson(List<String> added, Map<String, Long> counts, List<String> removed) {}

    /**
     * Returns a row for each event that changes something, in order.
     *
     * @param accepted in the order of their outboxes
     */
    static List<LoggedChange> of(List<Event> accepted, ToIntFunction<EntityKey> partitions) {
        var rows = new ArrayList<LoggedChange>();
        var backs = new HashMap<Integer, Integer>();
        var laters = new HashMap<EntityKey, Long>();
        for (Event event : accepted.reversed()) {
            if (event.added().isEmpty() && event.removed().isEmpty()) {
                continue; // a keyed event that only keeps its answer
            }
            int p = partitions.applyAsInt(event.key());
            int back = backs.merge(p, 1, Integer::sum) - 1;
            long later = laters.getOrDefault(event.key(), 0L);
            laters.put(event.key(), later + event.added().size() - event.removed().size());
            rows.add(
                    new LoggedChange(
                            p,
                            event.key(),
                            event.user(),
                            isFirst(event),
                            event.version(),
                            event.at(),
                            back,
                            later,
                            json(event)));
        }
        Collections.reverse(rows);
        return rows;
    }

    /** Whether the base of an event is an entity that was never reacted to. */
    private static boolean isFirst(Event event) {
        return event.baseVersion() == 0 || event.baseOp().startsWith(UniqueNames.UNREACTED);
    }

    private static String json(Event event) {
        var counts = new TreeMap<String, Long>();
        event.touched().forEach(counter -> counts.put(counter.reaction(), counter.count()));
        return JSON.writeValueAsString(new ChangeJson(event.added(), counts, event.removed()));
    }
}
