package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables {@code user_reaction} and {@code counter}: who has which reaction, and how many. Counters
 * move only by the rows that were really inserted and deleted, so that counts equal rows at every
 * commit. No statement may name a key twice.
 */
@Repository
public class ReactionTables {

    private final JdbcTemplate jdbc;

    ReactionTables(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** One reaction of one user on one entity. */
    public record UserReaction(EntityKey key, String user, String reaction) {}

    /** Names a counter. */
    public record CounterKey(EntityKey key, String reaction) {}

    /** The times of a counter after a batch, in microseconds since 1970. */
    public record Times(long firstAt, long lastAt) {}

    /**
     * Applies the net effect of a batch.
     *
     * @param removed what must not be there, or is added anew
     * @param added what must be there, with its time in microseconds
     * @param touched the times of every counter that the batch touched
     */
    public void apply(
            Collection<UserReaction> removed,
            Map<UserReaction, Long> added,
            Map<CounterKey, Times> touched) {
        var deltas = new HashMap<CounterKey, Long>();
        if (!removed.isEmpty()) {
            delete(removed, deltas);
        }
        if (!added.isEmpty()) {
            insert(added, deltas);
        }
        if (!touched.isEmpty() || !deltas.isEmpty()) {
            count(touched, deltas);
        }
    }

    private void delete(Collection<UserReaction> rows, Map<CounterKey, Long> deltas) {
        jdbc.query(
                """
                delete from user_reaction r
                using  unnest(?, ?, ?, ?) as k (namespace, entity, user_id, reaction)
                where  r.namespace = k.namespace and r.entity = k.entity
                and    r.user_id = k.user_id and r.reaction = k.reaction
                returning r.namespace, r.entity, r.reaction
                """,
                collect(deltas, -1),
                Columns.texts(rows, row -> row.key().namespace()),
                Columns.texts(rows, row -> row.key().entity()),
                Columns.texts(rows, UserReaction::user),
                Columns.texts(rows, UserReaction::reaction));
    }

    private void insert(Map<UserReaction, Long> rows, Map<CounterKey, Long> deltas) {
        var keys = rows.keySet();
        jdbc.query(
                """
                insert into user_reaction (namespace, entity, user_id, reaction, reacted_at)
                select * from unnest(?, ?, ?, ?, ?)
                on conflict do nothing
                returning namespace, entity, reaction
                """,
                collect(deltas, 1),
                Columns.texts(keys, row -> row.key().namespace()),
                Columns.texts(keys, row -> row.key().entity()),
                Columns.texts(keys, UserReaction::user),
                Columns.texts(keys, UserReaction::reaction),
                Columns.longs(rows.entrySet(), Map.Entry::getValue));
    }

    private void count(Map<CounterKey, Times> touched, Map<CounterKey, Long> deltas) {
        if (!touched.keySet().containsAll(deltas.keySet())) {
            throw new IllegalArgumentException("rows changed of a counter that was not touched");
        }
        var changes = new ArrayList<CounterChange>();
        touched.forEach(
                (key, times) ->
                        changes.add(new CounterChange(key, deltas.getOrDefault(key, 0L), times)));
        Map<CounterKey, Long> counted = updateCounters(changes);
        changes.removeIf(change -> change.delta() == 0 || counted.containsKey(change.counter()));
        if (!changes.isEmpty()) {
            insertCounters(changes);
        }
        counted.values().removeIf(count -> count != 0);
        if (!counted.isEmpty()) {
            deleteCounters(counted.keySet());
        }
    }

    private Map<CounterKey, Long> updateCounters(List<CounterChange> changes) {
        var counted = new HashMap<CounterKey, Long>();
        jdbc.query(
                """
                update counter c
                set    count    = c.count + k.delta,
                       first_at = k.first_at,
                       last_at  = k.last_at
                from   unnest(?, ?, ?, ?, ?, ?)
                       as k (namespace, entity, reaction, delta, first_at, last_at)
                where  c.namespace = k.namespace and c.entity = k.entity
                and    c.reaction = k.reaction
                returning c.namespace, c.entity, c.reaction, c.count
                """,
                row -> {
                    counted.put(counterKey(row), row.getLong(4));
                },
                columns(changes));
        return counted;
    }

    private void insertCounters(List<CounterChange> changes) {
        jdbc.update(
                """
                insert into counter (namespace, entity, reaction, count, first_at, last_at)
                select * from unnest(?, ?, ?, ?, ?, ?)
                """,
                columns(changes));
    }

    private void deleteCounters(Collection<CounterKey> keys) {
        jdbc.update(
                """
                delete from counter c
                using  unnest(?, ?, ?) as k (namespace, entity, reaction)
                where  c.namespace = k.namespace and c.entity = k.entity
                and    c.reaction = k.reaction and c.count = 0
                """,
                Columns.texts(keys, key -> key.key().namespace()),
                Columns.texts(keys, key -> key.key().entity()),
                Columns.texts(keys, CounterKey::reaction));
    }

    private static Object[] columns(List<CounterChange> changes) {
        return new Object[] {
            Columns.texts(changes, change -> change.counter().key().namespace()),
            Columns.texts(changes, change -> change.counter().key().entity()),
            Columns.texts(changes, change -> change.counter().reaction()),
            Columns.longs(changes, CounterChange::delta),
            Columns.longs(changes, change -> change.times().firstAt()),
            Columns.longs(changes, change -> change.times().lastAt())
        };
    }

    private static RowCallbackHandler collect(Map<CounterKey, Long> deltas, long step) {
        return row -> deltas.merge(counterKey(row), step, Long::sum);
    }

    private static CounterKey counterKey(ResultSet row) throws SQLException {
        return new CounterKey(new EntityKey(row.getString(1), row.getString(2)), row.getString(3));
    }

    private record CounterChange(CounterKey counter, long delta, Times times) {}
}
