package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Tokens;
import dev.ovation.outbox.Interventions.Changed;
import dev.ovation.store.Columns;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deletes reactions, under the lock of their partition. Counters fall by the rows that were really
 * deleted, and their times become those of the rows that are left. Each entity gets a new state:
 * then nothing that was proposed on the one before is applied, and what is hot of it goes.
 */
final class Removals {

    private final JdbcTemplate jdbc;

    Removals(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What was done.
     *
     * @param rows how many reactions were deleted
     * @param changed all entities that were named, whether reactions of theirs were deleted or not
     */
    record Removed(long rows, List<Changed> changed) {}

    private record CounterKey(EntityKey key, String reaction) {}

    /** Deletes all that a user has on some entities of one partition. */
    Removed ofUser(String user, List<EntityKey> keys, long leap) {
        var gone = new HashMap<CounterKey, Long>();
        jdbc.query(
                """
                with gone as (
                    delete from user_reaction r
                    using  unnest(?, ?) as k (namespace, entity)
                    where  r.namespace = k.namespace and r.entity = k.entity and r.user_id = ?
                    returning r.namespace, r.entity, r.reaction)
                select namespace, entity, reaction, count(*) from gone group by 1, 2, 3
                """,
                collect(gone),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                user);
        return removed(gone, keys, leap);
    }

    /** Deletes some of the reactions on an entity: so many, if there are. */
    Removed ofEntity(EntityKey key, int limit, long leap) {
        var gone = new HashMap<CounterKey, Long>();
        jdbc.query(
                """
                with gone as (
                    delete from user_reaction
                    where  ctid = any (array(
                        select ctid from user_reaction
                        where  namespace = ? and entity = ?
                        order  by user_id, reaction limit ?))
                    returning namespace, entity, reaction)
                select namespace, entity, reaction, count(*) from gone group by 1, 2, 3
                """,
                collect(gone),
                key.namespace(),
                key.entity(),
                limit);
        return removed(gone, List.of(key), leap);
    }

    private static RowCallbackHandler collect(Map<CounterKey, Long> gone) {
        return row ->
                gone.put(
                        new CounterKey(
                                new EntityKey(row.getString(1), row.getString(2)),
                                row.getString(3)),
                        row.getLong(4));
    }

    private Removed removed(Map<CounterKey, Long> gone, List<EntityKey> keys, long leap) {
        if (!gone.isEmpty()) {
            count(gone);
        }
        String op = Tokens.next();
        jdbc.update(
                """
                update entity e
                set    version = e.version + ?, last_op = ?
                from   unnest(?, ?) as k (namespace, entity)
                where  e.namespace = k.namespace and e.entity = k.entity
                """,
                leap,
                op,
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity));
        return new Removed(
                gone.values().stream().mapToLong(Long::longValue).sum(),
                keys.stream().map(key -> new Changed(key, op)).toList());
    }

    /** Both times are looked up at an end of an index, however crowded the entity is. */
    private void count(Map<CounterKey, Long> gone) {
        var counters = new ArrayList<>(gone.keySet());
        List<EntityKey> keys = counters.stream().map(CounterKey::key).toList();
        jdbc.update(
                """
                update counter c
                set    count    = c.count - k.gone,
                       first_at = coalesce((select reacted_at from user_reaction r
                                            where  r.namespace = k.namespace and r.entity = k.entity
                                            and    r.reaction = k.reaction
                                            order  by reacted_at limit 1), c.first_at),
                       last_at  = coalesce((select reacted_at from user_reaction r
                                            where  r.namespace = k.namespace and r.entity = k.entity
                                            and    r.reaction = k.reaction
                                            order  by reacted_at desc limit 1), c.last_at)
                from   unnest(?, ?, ?, ?) as k (namespace, entity, reaction, gone)
                where  c.namespace = k.namespace and c.entity = k.entity and c.reaction = k.reaction
                """,
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                Columns.texts(counters, CounterKey::reaction),
                Columns.longs(counters, counter -> gone.getOrDefault(counter, 0L)));
        jdbc.update(
                """
                delete from counter c
                using  unnest(?, ?, ?) as k (namespace, entity, reaction)
                where  c.namespace = k.namespace and c.entity = k.entity
                and    c.reaction = k.reaction and c.count = 0
                """,
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                Columns.texts(counters, CounterKey::reaction));
    }
}
