package dev.ovation.erasure.removal;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
import dev.ovation.store.EntityTable;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.divided.ReactionRows;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives entities a new state, so that proposals on the old state are rejected and its copy in Redis
 * is removed.
 */
final class EntityRenewal {

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

    private final JdbcTemplate jdbc;
    private final Shards shards;
    private final ReactionRows divided;

    EntityRenewal(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
        this.divided = new ReactionRows(jdbc);
    }

    /**
     * Gives entities a new state, whose people change by the given numbers. Its name shows whether
     * there ever was a reaction to the entity.
     */
    List<Changed> renew(List<EntityKey> keys, Map<EntityNo, Long> people, long leap) {
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
                Columns.ints(people.keySet(), EntityNo::p),
                Columns.ints(people.keySet(), EntityNo::no),
                Columns.longs(people.values(), Long::longValue),
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity));
        if (shards.areMany()) {
            divided.mark(entities);
        }
        return keys.stream().map(key -> new Changed(key, ops.getOrDefault(key, op))).toList();
    }
}
