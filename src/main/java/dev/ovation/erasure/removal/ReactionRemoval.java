package dev.ovation.erasure.removal;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Micros;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
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

import java.util.Arrays;
import java.util.List;

/**
 * Deletes reactions, under the lock of their partition. Counters fall by the rows that were really
 * deleted, and their times become those of the rows that are left. Each entity gets a new state.
 */
public final class ReactionRemoval {

    private final JdbcTemplate jdbc;
    private final ChangeLog log;
    private final Shards shards;
    private final ReactionRows divided;
    private final EntityRenewal renewal;

    public ReactionRemoval(JdbcTemplate jdbc, ChangeLog log, Shards shards) {
        this.jdbc = jdbc;
        this.log = log;
        this.shards = shards;
        this.divided = new ReactionRows(jdbc);
        this.renewal = new EntityRenewal(jdbc, shards);
    }

    /** The trace that removed reactions leave. */
    public enum Trace {
        /** Nothing. */
        NONE,
        /** The time of the removal, so that no import brings them back. */
        REMOVAL,
        /** The time of the removal, and the reactions themselves, out of sight. */
        HIDDEN
    }

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

    /**
     * Deletes all that a user has on some entities of one partition from before a time. Removed
     * reactions that were hidden before come back no more.
     *
     * @param before time in microseconds since 1970
     * @param leap increment of the version of each entity
     * @return the number of reactions, and the entities with their new state
     */
    public ChangedRows ofUser(
            String user, List<EntityKey> keys, Trace trace, long before, long leap) {
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
        ChangedRows removed = removed(trace == Trace.NONE, user, gone, keys, leap);
        return new ChangedRows(removed.rows() + hidden, removed.changed());
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

    /**
     * Deletes one reaction from an entity.
     *
     * @param reaction its key
     * @param limit greatest number of rows
     * @param leap increment of the version of each entity
     * @return the number of reactions, and the entities with their new state
     */
    public ChangedRows ofReaction(EntityKey key, String reaction, int limit, long leap) {
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
     * Deletes reactions on an entity. The range of the index is within a lateral query: as a
     * condition of a join the planner would walk through all entities.
     *
     * @param limit greatest number of rows
     * @param leap increment of the version of each entity
     * @return the number of reactions, and the entities with their new state
     */
    public ChangedRows ofEntity(EntityKey key, int limit, long leap) {
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
    private CounterChanges delete(String statement, Trace trace, Object... arguments) {
        var gone = new CounterChanges();
        if (shards.areMany()) {
            List<ReactionRow> rows =
                    jdbc.query(Narrowed.sql(statement), ReactionRows::row, arguments);
            if (trace != Trace.NONE) {
                divided.remember(rows, Micros.now());
            }
            if (trace == Trace.HIDDEN) {
                divided.hide(rows);
            }
            gone.add(rows, divided.gone(rows));
            return gone;
        }
        Object[] all = Arrays.copyOf(arguments, arguments.length + 3);
        all[arguments.length] = Micros.now();
        all[arguments.length + 1] = trace != Trace.NONE;
        all[arguments.length + 2] = trace == Trace.HIDDEN;
        jdbc.query("with gone as (" + statement + ")" + LEFT, (RowCallbackHandler) gone::add, all);
        return gone;
    }

    private ChangedRows removed(
            boolean erased,
            @Nullable String user,
            CounterChanges gone,
            List<EntityKey> keys,
            long leap) {
        if (!gone.isEmpty()) {
            count(gone);
        }
        List<Changed> changed = renewal.renew(keys, gone.people(-1), leap);
        log.appendExclusive(erased, user, gone.counters());
        return new ChangedRows(gone.sum(), changed);
    }

    /** Both times are looked up at an end of an index, however crowded the entity is. */
    private void count(CounterChanges gone) {
        List<ChangedCounter> counters = gone.counters();
        Object p = Columns.ints(counters, ChangedCounter::p);
        Object entities = Columns.ints(counters, ChangedCounter::entity);
        Object reactions = Columns.ints(counters, ChangedCounter::reaction);
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
                gone.numbers(counters));
        ReactionTables.deleteEmptyCounters(jdbc, p, entities, reactions);
    }
}
