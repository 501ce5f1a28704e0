package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.log.ChangeLog.ChangedCounter;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deletes reactions, under the lock of their partition. Counters fall by the rows that were really
 * deleted, and their times become those of the rows that are left. Each entity gets a new state, so
 * that proposals on the old state are rejected and its copy in Redis is removed.
 */
final class ReactionRemoval {

    private final JdbcTemplate jdbc;
    private final ChangeLog log;

    ReactionRemoval(JdbcTemplate jdbc, ChangeLog log) {
        this.jdbc = jdbc;
        this.log = log;
    }

    /**
     * Result of a removal.
     *
     * @param rows number of deleted reactions
     * @param changed all given entities, also those without a deleted reaction
     */
    record Removed(long rows, List<Changed> changed) {}

    /** Reaction {@value #PEOPLE} stands for the people of the entity. */
    private record CounterNo(int p, int entity, int reaction) {}

    private static final int PEOPLE = 0;

    /** Counts what {@code gone} deleted; {@code user_reaction} is as it was before. */
    private static final String COUNTED =
            """
            select p, entity_no, reaction, count(*) from gone group by 1, 2, 3
            union all
            select p, entity_no, 0, count(*)
            from  (select p, entity_no, user_id, count(*) as rows from gone group by 1, 2, 3) g
            where  g.rows = (select count(*) from user_reaction r
                             where  r.p = g.p and r.user_id = g.user_id
                             and    r.entity_no = g.entity_no)
            group  by 1, 2
            """;

    /** Deletes all that a user has on some entities of one partition. */
    Removed ofUser(String user, List<EntityKey> keys, long leap) {
        var gone = new HashMap<CounterNo, Long>();
        jdbc.query(
                """
                with gone as (
                    delete from user_reaction r
                    using  unnest(?, ?) as k (namespace, entity) join entity e using (namespace, entity)
                    where  r.p = e.p and r.user_id = ? and r.entity_no = e.no
                    returning r.p, r.entity_no, r.reaction, r.user_id)
                """
                        + COUNTED,
                collect(gone),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                user);
        return removed(user, gone, keys, leap);
    }

    /**
     * Deletes reactions on an entity, at most the given number. The range of the index is within a
     * lateral query: as a condition of a join the planner would walk through all entities.
     */
    Removed ofEntity(EntityKey key, int limit, long leap) {
        var gone = new HashMap<CounterNo, Long>();
        jdbc.query(
                """
                with gone as (
                    delete from user_reaction
                    where  ctid = any (array(
                        select r.row_id
                        from   entity e
                        cross  join lateral (
                            select ctid as row_id
                            from   user_reaction
                            where  list_no(p, entity_no, reaction)
                                   between list_no(e.p, e.no, 0::smallint)
                                   and     list_no(e.p, e.no, 32767::smallint)
                            order  by list_no(p, entity_no, reaction), reacted_at
                            limit  ?) r
                        where  e.namespace = ? and e.entity = ?))
                    returning p, entity_no, reaction, user_id)
                """
                        + COUNTED,
                collect(gone),
                limit,
                key.namespace(),
                key.entity());
        return removed(null, gone, List.of(key), leap);
    }

    private static RowCallbackHandler collect(Map<CounterNo, Long> gone) {
        return row ->
                gone.put(
                        new CounterNo(row.getInt(1), row.getInt(2), row.getInt(3)), row.getLong(4));
    }

    private Removed removed(
            @Nullable String user, Map<CounterNo, Long> gone, List<EntityKey> keys, long leap) {
        Map<CounterNo, Long> people = new HashMap<>(gone);
        people.keySet().removeIf(counter -> counter.reaction != PEOPLE);
        gone.keySet().removeAll(people.keySet());
        if (!gone.isEmpty()) {
            count(gone);
        }
        String op = UniqueNames.next();
        jdbc.update(
                """
                with moved as (
                    update entity e
                    set    version = e.version + ?, last_op = ?,
                           people = e.people - coalesce(
                               (select g.people from unnest(?, ?, ?) as g (p, entity_no, people)
                                where  g.p = e.p and g.entity_no = e.no), 0)
                    from   unnest(?, ?) as k (namespace, entity)
                    where  e.namespace = k.namespace and e.entity = k.entity
                    returning e.p, e.no)
                insert into changed_entity (p, entity_no) select p, no from moved
                """,
                leap,
                op,
                Columns.ints(people.keySet(), CounterNo::p),
                Columns.ints(people.keySet(), CounterNo::entity),
                Columns.longs(people.values(), Long::longValue),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity));
        log.appendExclusive(
                true,
                user,
                gone.keySet().stream()
                        .map(c -> new ChangedCounter(c.p(), c.entity(), c.reaction()))
                        .toList());
        return new Removed(
                gone.values().stream().mapToLong(Long::longValue).sum(),
                keys.stream().map(key -> new Changed(key, op)).toList());
    }

    /** Both times are looked up at an end of an index, however crowded the entity is. */
    private void count(Map<CounterNo, Long> gone) {
        var counters = List.copyOf(gone.keySet());
        Object p = Columns.ints(counters, CounterNo::p);
        Object entities = Columns.ints(counters, CounterNo::entity);
        Object reactions = Columns.ints(counters, CounterNo::reaction);
        jdbc.update(
                """
                update counter c
                set    count    = c.count - k.gone,
                       first_at = coalesce((select reacted_at from user_reaction r
                                            where  list_no(r.p, r.entity_no, r.reaction)
                                                   = list_no(c.p, c.entity_no, c.reaction)
                                            order  by reacted_at limit 1), c.first_at),
                       last_at  = coalesce((select reacted_at from user_reaction r
                                            where  list_no(r.p, r.entity_no, r.reaction)
                                                   = list_no(c.p, c.entity_no, c.reaction)
                                            order  by reacted_at desc limit 1), c.last_at)
                from   unnest(?, ?, ?, ?) as k (p, entity_no, reaction, gone)
                where  c.p = k.p and c.entity_no = k.entity_no and c.reaction = k.reaction
                """,
                p,
                entities,
                reactions,
                Columns.longs(counters, counter -> gone.getOrDefault(counter, 0L)));
        jdbc.update(
                """
                delete from counter c
                using  unnest(?, ?, ?) as k (p, entity_no, reaction)
                where  c.p = k.p and c.entity_no = k.entity_no and c.reaction = k.reaction
                and    c.count = 0
                """,
                p,
                entities,
                reactions);
    }
}
