package dev.ovation.erasure.removal;

import dev.ovation.store.Columns;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.divided.ReactionRows.ReactionRow;
import dev.ovation.store.log.ChangeLog.ChangedCounter;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of counters by deleted or returned rows. The people of an entity change by each user who
 * has no row before, or none afterwards.
 */
final class CounterChanges {

    /** Reaction that stands for the people of the entity in a row of a statement. */
    private static final int PEOPLE = 0;

    private final Map<ChangedCounter, Long> rows = new HashMap<>();
    private final Map<EntityNo, Long> people = new HashMap<>();

    /** Adds a row with the columns p, entity_no, reaction and a number. */
    void add(ResultSet row) throws SQLException {
        int p = row.getInt(1);
        int entity = row.getInt(2);
        int reaction = row.getInt(3);
        if (reaction == PEOPLE) {
            people.put(new EntityNo(p, entity), row.getLong(4));
        } else {
            rows.put(new ChangedCounter(p, entity, reaction), row.getLong(4));
        }
    }

    /** Adds reactions, and their numbers of people by entity. */
    void add(List<ReactionRow> reactions, Map<EntityNo, Long> counts) {
        for (ReactionRow row : reactions) {
            var counter = new ChangedCounter(row.entity().p(), row.entity().no(), row.reaction());
            rows.merge(counter, 1L, Long::sum);
        }
        people.putAll(counts);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Number of rows of all counters. */
    long sum() {
        return rows.values().stream().mapToLong(Long::longValue).sum();
    }

    List<ChangedCounter> counters() {
        return new ArrayList<>(rows.keySet());
    }

    /** Array of the numbers of rows of these counters. */
    Object numbers(List<ChangedCounter> counters) {
        return Columns.longs(counters, counter -> rows.getOrDefault(counter, 0L));
    }

    /**
     * Changes of the people of entities.
     *
     * @param sign 1 for returned rows, -1 for deleted ones
     */
    Map<EntityNo, Long> people(int sign) {
        var changes = new HashMap<>(people);
        changes.replaceAll((_, number) -> sign * number);
        return changes;
    }
}
