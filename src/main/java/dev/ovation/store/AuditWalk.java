package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.util.ArrayList;
import java.util.List;

/**
 * Table {@code audit_walk}: walks through all entities in the order of their keys, round and round,
 * also through those that only counters or user reactions speak of. All instances share them, and a
 * restart goes on where the last one was.
 */
@Repository
public class AuditWalk {

    /** Three descents of an index for each key: none of the tables is scanned. */
    private static final String KEYS_BETWEEN =
            """
            with recursive walk as (
                select ?::text collate "C" as namespace, ?::text collate "C" as entity
                union all
                select k.namespace, k.entity
                from   walk w cross join lateral (
                    (select namespace, entity from entity
                     where  (namespace, entity) > (w.namespace, w.entity)
                     order  by namespace, entity limit 1)
                    union all
                    (select namespace, entity from counter
                     where  (namespace, entity) > (w.namespace, w.entity)
                     order  by namespace, entity limit 1)
                    union all
                    (select namespace, entity from user_reaction
                     where  (namespace, entity) > (w.namespace, w.entity)
                     order  by namespace, entity limit 1)
                    order by namespace, entity limit 1
                ) k
                where  (k.namespace, k.entity) <= (?, ?)
            )
            select namespace, entity from walk offset 1 limit ?
            """;

    /** Behind every namespace: UTF-8 has no greater character. */
    private static final String END = "\udbff\udfff";

    private final JdbcTemplate jdbc;

    AuditWalk(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Takes the next entities of a walk, none twice.
     *
     * @param walk its name
     * @param namespace the one it stays within; null for all
     * @param limit how many at most
     */
    @Transactional
    public List<EntityKey> take(String walk, @Nullable String namespace, int limit) {
        jdbc.update("insert into audit_walk values (?, '', '') on conflict do nothing", walk);
        EntityKey from =
                jdbc.queryForObject(
                        "select namespace, entity from audit_walk where walk = ? for update",
                        (row, _) -> new EntityKey(row.getString(1), row.getString(2)),
                        walk);
        var start = new EntityKey(namespace == null ? "" : namespace, "");
        var end = new EntityKey(namespace == null ? END : namespace, END);
        if (from == null || from.namespace().isEmpty()) {
            from = start;
        }
        List<EntityKey> keys = new ArrayList<>(between(from, end, limit));
        if (keys.size() < limit) {
            keys.addAll(between(start, from, limit - keys.size()));
        }
        if (!keys.isEmpty()) {
            goOnBehind(walk, keys.getLast());
        }
        return keys;
    }

    /** Sets a walk back to an entity, when what was taken behind it could not be looked at. */
    public void goOnBehind(String walk, EntityKey key) {
        jdbc.update(
                "update audit_walk set namespace = ?, entity = ? where walk = ?",
                key.namespace(),
                key.entity(),
                walk);
    }

    /** The first so many keys above {@code from}, up to {@code to}. */
    private List<EntityKey> between(EntityKey from, EntityKey to, int limit) {
        return jdbc.query(
                KEYS_BETWEEN,
                (row, _) -> new EntityKey(row.getString(1), row.getString(2)),
                from.namespace(),
                from.entity(),
                to.namespace(),
                to.entity(),
                limit);
    }
}
