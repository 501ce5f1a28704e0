package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Micros;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
import dev.ovation.store.EntityTable;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.divided.ReactionRows;
import dev.ovation.store.divided.ReactionRows.ReactionRow;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.log.ChangeLog.ChangedCounter;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import java.util.ArrayList;
import java.util.Arrays;
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
    private final Shards shards;
    private final ReactionRows divided;

    ReactionRemoval(JdbcTemplate jdbc, ChangeLog log, Shards shards) {
        this.jdbc = jdbc;
        this.log = log;
        this.shards = shards;
        this.divided = new ReactionRows(jdbc);
    }

    /**
     * Result of a removal.
     *
     * @param rows number of deleted or returned reactions
     * @param changed all given entities, also those without such a reaction
     */
    record Removed(long rows, List<Changed> changed) {}

    /** The trace that removed reactions leave. */
    enum Trace {
        /** Nothing. */
        NONE,
        /** The time of the removal, so that no import brings them back. */
        REMOVAL,
        /** The time of the removal, and the reactions themselves, out of sight. */
        HIDDEN
    }

    /** Reaction {@value #PEOPLE} stands for the people of the entity. */
    private record CounterNo(int p, int entity, int reaction) {}

    private static final int PEOPLE = 0;

    /**
     * Writes what stays of the rows that {@code gone} deleted, and counts them; {@code
     * user_reaction} is as it was before.
     */
    private static final String LEFT =
            """
            ,
            remembered as (
                insert into removal as r (period, p, entity_no, reaction, user_id, removed_at)
                select (select max(period) from removal_period), p, entity_no, reaction, user_id, ?
                from   gone where ?
                on conflict (p, user_id, entity_no, reaction, period)
                do update set removed_at = greatest(r.removed_at, excluded.removed_at)),
            hidden as (
                insert into hidden_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                select p, entity_no, reaction, user_id, reacted_at, form from gone where ?
                on conflict do nothing)
            select p, entity_no, reaction, count(*) from gone group by 1, 2, 3
            union all
            select p, entity_no, 0, count(*)
            from  (select p, entity_no, user_id, count(*) as rows from gone group by 1, 2, 3) g
            where  g.rows = (select count(*) from user_reaction r
                             where  r.p = g.p and r.user_id = g.user_id
                             and    r.entity_no = g.entity_no)
            group  by 1, 2
            """;

    private static final String RENEW =
            """
            update entity e
            set    version = e.version + ?,
                   last_op = %s || ?,
                   people = e.people + coalesce(
                       (select g.people from unnest(?, ?, ?) as g (p, entity_no, people)
                        where  g.p = e.p and g.entity_no = e.no), 0)
            from   unnest(?, ?) as k (namespace, entity)
            where  e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
            returning e.p, e.no, e.namespace, e.entity, e.last_op
            """
                    .formatted(EntityTable.prefixOfNextOp(UniqueNames.UNREACTED));

    private static final String RENEW_AND_MARK =
            "with moved as ("
                    + RENEW
                    + """
                    ),
                    marked as (
                        insert into changed_entity (p, entity_no) select p, no from moved)
                    select p, no, namespace, entity, last_op from moved
                    """;

    private static final String SHOWN =
            """
            delete from hidden_reaction h
            using  unnest(?, ?) as k (namespace, entity)
                   join entity e
                   on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
            where  h.user_id = ? and h.p = e.p /*on h.p*/ and h.entity_no = e.no
            and    not exists (select from user_ban b
                               where  b.user_id = h.user_id
                               and    b.namespace in ('', e.namespace)
                               and   (b.reactions = 'hide'
                                      or b.reactions = 'remove'
                                         and coalesce(b.until, 'infinity') > now()))
            returning h.p, h.entity_no, h.reaction, h.user_id, h.reacted_at, h.form
            """;

    /** Stores the rows that {@code shown} deleted, and counts them. */
    private static final String ADDED =
            """
            ,
            added as (
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                select p, entity_no, reaction, user_id, reacted_at, form from shown
                on conflict do nothing
                returning p, entity_no, reaction, user_id, reacted_at),
            counted as (
                insert into counter as c (p, entity_no, reaction, count, first_at, last_at)
                select p, entity_no, reaction, count(*), min(reacted_at), max(reacted_at)
                from   added group by 1, 2, 3
                on conflict (p, entity_no, reaction) do update
                set    count    = c.count + excluded.count,
                       first_at = least(c.first_at, excluded.first_at),
                       last_at  = greatest(c.last_at, excluded.last_at))
            select p, entity_no, reaction, count(*) from added group by 1, 2, 3
            union all
            select p, entity_no, 0, count(*)
            from  (select distinct p, entity_no, user_id from added) a
            where  not exists (select from user_reaction r -- as it was before
                               where  r.p = a.p and r.user_id = a.user_id
                               and    r.entity_no = a.entity_no)
            group  by 1, 2
            """;

    /**
     * Deletes all that a user has on some entities of one partition from before a time, in
     * microseconds. Removed reactions that were hidden before come back no more.
     */
    Removed ofUser(String user, List<EntityKey> keys, Trace trace, long before, long leap) {
        var gone =
                delete(
                        """
                        delete from user_reaction r
                        using  unnest(?, ?) as k (namespace, entity)
                               join entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        where  r.p = e.p /*on r.p*/ and r.user_id = ? and r.entity_no = e.no
                        and    r.reacted_at < ?
                        returning r.p, r.entity_no, r.reaction, r.user_id, r.reacted_at, r.form
                        """,
                        trace,
                        Columns.texts(keys, EntityKey::namespace),
                        Columns.texts(keys, EntityKey::entity),
                        user,
                        before);
        int hidden = 0;
        if (trace == Trace.REMOVAL) {
            hidden = forgetHidden(user, keys, before);
        }
        Removed removed = removed(trace == Trace.NONE, user, gone, keys, leap);
        return new Removed(removed.rows + hidden, removed.changed);
    }

    private int forgetHidden(String user, List<EntityKey> keys, long before) {
        return jdbc.update(
                Narrowed.sql(
                        """
                        delete from hidden_reaction h
                        using  unnest(?, ?) as k (namespace, entity)
                               join entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        where  h.user_id = ? and h.p = e.p /*on h.p*/ and h.entity_no = e.no
                        and    h.reacted_at < ?
                        """),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                user,
                before);
    }

    /** Deletes one reaction from an entity, at most the given number of rows. */
    Removed ofReaction(EntityKey key, String reaction, int limit, long leap) {
        var gone =
                delete(
                        """
                        delete from user_reaction
                        where  ctid = any (array(
                            select r.row_id
                            from   entity e
                            join   reaction_name x on x.name = ?
                            cross  join lateral (
                                select ctid as row_id
                                from   user_reaction
                                where  list_no(p, entity_no, reaction) = list_no(e.p, e.no, x.no)
                                /*on p*/
                                order  by reacted_at
                                limit  ?) r
                            where  e.namespace = ? and e.entity = ? /*on e.p*/)) /*on p*/
                        returning p, entity_no, reaction, user_id, reacted_at, form
                        """,
                        Trace.REMOVAL,
                        reaction,
                        limit,
                        key.namespace(),
                        key.entity());
        forgetHidden(key, reaction);
        return removed(false, null, gone, List.of(key), leap);
    }

    /** Deletes hidden reactions to an entity: of one kind, or of all for an empty text. */
    private void forgetHidden(EntityKey key, String reaction) {
        jdbc.update(
                Narrowed.sql(
                        """
                delete from hidden_reaction h
                using  entity e, reaction_name x
                where  e.namespace = ? and e.entity = ? /*on e.p*/
                and    e.p = h.p /*on h.p*/ and e.no = h.entity_no
                and    x.no = h.reaction and ? in ('', x.name)
                """),
                key.namespace(),
                key.entity(),
                reaction);
    }

    /**
     * Deletes reactions on an entity, at most the given number. The range of the index is within a
     * lateral query: as a condition of a join the planner would walk through all entities.
     */
    Removed ofEntity(EntityKey key, int limit, long leap) {
        var gone =
                delete(
                        """
                        delete from user_reaction
                        where  ctid = any (array(
                            select r.row_id
                            from   entity e
                            cross  join lateral (
                                select ctid as row_id
                                from   user_reaction
                                where  list_no(p, entity_no, reaction)
                                       between list_no(e.p, e.no, 0::smallint)
                                       and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                                order  by list_no(p, entity_no, reaction), reacted_at
                                limit  ?) r
                            where  e.namespace = ? and e.entity = ? /*on e.p*/)) /*on p*/
                        returning p, entity_no, reaction, user_id, reacted_at, form
                        """,
                        Trace.NONE,
                        limit,
                        key.namespace(),
                        key.entity());
        forgetHidden(key, "");
        return removed(true, null, gone, List.of(key), leap);
    }

    /** Deletes rows by a statement that returns them, and leaves the trace. */
    private Map<CounterNo, Long> delete(String statement, Trace trace, Object... arguments) {
        var gone = new HashMap<CounterNo, Long>();
        if (shards.areMany()) {
            List<ReactionRow> rows =
                    jdbc.query(Narrowed.sql(statement), ReactionRows::row, arguments);
            if (trace != Trace.NONE) {
                divided.remember(rows, Micros.now());
            }
            if (trace == Trace.HIDDEN) {
                divided.hide(rows);
            }
            add(rows, divided.gone(rows), gone);
            return gone;
        }
        Object[] all = Arrays.copyOf(arguments, arguments.length + 3);
        all[arguments.length] = Micros.now();
        all[arguments.length + 1] = trace != Trace.NONE;
        all[arguments.length + 2] = trace == Trace.HIDDEN;
        jdbc.query("with gone as (" + statement + ")" + LEFT, collect(gone), all);
        return gone;
    }

    private static void add(
            List<ReactionRow> rows, Map<EntityNo, Long> people, Map<CounterNo, Long> changes) {
        for (ReactionRow row : rows) {
            var counter = new CounterNo(row.entity().p(), row.entity().no(), row.reaction());
            changes.merge(counter, 1L, Long::sum);
        }
        people.forEach(
                (entity, count) ->
                        changes.put(new CounterNo(entity.p(), entity.no(), PEOPLE), count));
    }

    private static RowCallbackHandler collect(Map<CounterNo, Long> gone) {
        return row ->
                gone.put(
                        new CounterNo(row.getInt(1), row.getInt(2), row.getInt(3)), row.getLong(4));
    }

    private Removed removed(
            boolean erased,
            @Nullable String user,
            Map<CounterNo, Long> gone,
            List<EntityKey> keys,
            long leap) {
        Map<CounterNo, Long> people = takePeople(gone);
        if (!gone.isEmpty()) {
            count(gone);
        }
        people.replaceAll((_, left) -> -left);
        List<Changed> changed = renewed(keys, people, leap);
        log.appendExclusive(erased, user, counters(gone));
        return new Removed(sum(gone), changed);
    }

    /** Takes the people of entities out of changes of counters. */
    private static Map<CounterNo, Long> takePeople(Map<CounterNo, Long> changes) {
        Map<CounterNo, Long> people = new HashMap<>(changes);
        people.keySet().removeIf(counter -> counter.reaction != PEOPLE);
        changes.keySet().removeAll(people.keySet());
        return people;
    }

    private static List<ChangedCounter> counters(Map<CounterNo, Long> changes) {
        return changes.keySet().stream()
                .map(c -> new ChangedCounter(c.p(), c.entity(), c.reaction()))
                .toList();
    }

    private static long sum(Map<CounterNo, Long> changes) {
        return changes.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns hidden reactions of a user to their entities, unless a ban hides them still or is
     * about to remove them.
     */
    Removed shown(String user, List<EntityKey> keys, long leap) {
        var back = new HashMap<CounterNo, Long>();
        Object[] arguments = {
            Columns.texts(keys, EntityKey::namespace), Columns.texts(keys, EntityKey::entity), user
        };
        if (shards.areMany()) {
            List<ReactionRow> added =
                    divided.insert(jdbc.query(Narrowed.sql(SHOWN), ReactionRows::row, arguments));
            divided.count(added);
            add(added, divided.come(added), back);
        } else {
            jdbc.query("with shown as (" + SHOWN + ")" + ADDED, collect(back), arguments);
        }
        Map<CounterNo, Long> people = takePeople(back);
        List<Changed> changed = renewed(keys, people, leap);
        log.appendReturned(user, counters(back));
        return new Removed(sum(back), changed);
    }

    /**
     * Gives entities a new state, whose people change by the given numbers. Its name shows whether
     * there ever was a reaction to the entity.
     */
    private List<Changed> renewed(List<EntityKey> keys, Map<CounterNo, Long> people, long leap) {
        String op = UniqueNames.next();
        var ops = new HashMap<EntityKey, String>();
        var entities = new ArrayList<EntityNo>();
        jdbc.query(
                shards.areMany() ? Narrowed.sql(RENEW) : RENEW_AND_MARK,
                row -> {
                    entities.add(new EntityNo(row.getInt(1), row.getInt(2)));
                    ops.put(new EntityKey(row.getString(3), row.getString(4)), row.getString(5));
                },
                leap,
                op,
                Columns.ints(people.keySet(), CounterNo::p),
                Columns.ints(people.keySet(), CounterNo::entity),
                Columns.longs(people.values(), Long::longValue),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity));
        if (shards.areMany()) {
            divided.mark(entities);
        }
        return keys.stream().map(key -> new Changed(key, ops.getOrDefault(key, op))).toList();
    }

    /** Both times are looked up at an end of an index, however crowded the entity is. */
    private void count(Map<CounterNo, Long> gone) {
        var counters = List.copyOf(gone.keySet());
        Object p = Columns.ints(counters, CounterNo::p);
        Object entities = Columns.ints(counters, CounterNo::entity);
        Object reactions = Columns.ints(counters, CounterNo::reaction);
        jdbc.update(
                Narrowed.sql(
                        """
                update counter c
                set    count    = c.count - k.gone,
                       first_at = coalesce((select reacted_at from user_reaction r
                                            where  list_no(r.p, r.entity_no, r.reaction)
                                                   = list_no(c.p, c.entity_no, c.reaction) /*on r.p*/
                                            order  by reacted_at limit 1), c.first_at),
                       last_at  = coalesce((select reacted_at from user_reaction r
                                            where  list_no(r.p, r.entity_no, r.reaction)
                                                   = list_no(c.p, c.entity_no, c.reaction) /*on r.p*/
                                            order  by reacted_at desc limit 1), c.last_at)
                from   unnest(?, ?, ?, ?) as k (p, entity_no, reaction, gone)
                where  c.p = k.p /*on c.p*/
                and    c.entity_no = k.entity_no and c.reaction = k.reaction
                """),
                p,
                entities,
                reactions,
                Columns.longs(counters, counter -> gone.getOrDefault(counter, 0L)));
        ReactionTables.deleteEmptyCounters(jdbc, p, entities, reactions);
    }
}
