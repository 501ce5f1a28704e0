package dev.ovation.erasure.removal;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
import dev.ovation.store.divided.ReactionRows;
import dev.ovation.store.divided.ReactionRows.ReactionRow;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import java.util.List;

/**
 * Returns reactions that a ban hid, under the lock of their partition. Counters rise by the rows
 * that were really stored. Each entity gets a new state.
 */
public final class ReactionReturn {

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

    private final JdbcTemplate jdbc;
    private final ChangeLog log;
    private final Shards shards;
    private final ReactionRows divided;
    private final EntityRenewal renewal;

    public ReactionReturn(JdbcTemplate jdbc, ChangeLog log, Shards shards) {
        this.jdbc = jdbc;
        this.log = log;
        this.shards = shards;
        this.divided = new ReactionRows(jdbc);
        this.renewal = new EntityRenewal(jdbc, shards);
    }

    /**
     * Returns hidden reactions of a user to their entities, all of one partition, unless a ban
     * hides them still or is about to remove them.
     *
     * @param leap increment of the version of each entity
     * @return the number of reactions, and the entities with their new state
     */
    public ChangedRows ofUser(String user, List<EntityKey> keys, long leap) {
        var back = new CounterChanges();
        Object[] arguments = {
            Columns.texts(keys, EntityKey::namespace), Columns.texts(keys, EntityKey::entity), user
        };
        if (shards.areMany()) {
            List<ReactionRow> added =
                    divided.insert(jdbc.query(Narrowed.sql(SHOWN), ReactionRows::row, arguments));
            divided.count(added);
            back.add(added, divided.come(added));
        } else {
            jdbc.query(
                    "with shown as (" + SHOWN + ")" + ADDED,
                    (RowCallbackHandler) back::add,
                    arguments);
        }
        List<Changed> changed = renewal.renew(keys, back.people(1), leap);
        log.appendReturned(user, back.counters());
        return new ChangedRows(back.sum(), changed);
    }
}
