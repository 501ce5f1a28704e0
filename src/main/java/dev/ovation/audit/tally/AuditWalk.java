package dev.ovation.audit.tally;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.util.ArrayList;
import java.util.List;

/**
 * Table {@code audit_walk}: walks through all entities in the order of their keys, again from the
 * start after the last. All instances share the walks, and a restart continues at the stored place.
 */
@Repository
public class AuditWalk {

    private static final String KEYS_BETWEEN =
            """
            select namespace, entity from entity
            where  (namespace, entity) > (?, ?) and (namespace, entity) <= (?, ?)
            order  by namespace, entity limit ?
            """;

    /** A text after every namespace: UTF-8 has no greater character. */
    private static final String END = "\udbff\udfff";

    private final JdbcTemplate jdbc;

    AuditWalk(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Takes the next entities of a walk, each once.
     *
     * @param walk its name
     * @param namespace the only namespace; null for all
     * @param limit greatest number of entities
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

    /** Sets a walk back to an entity, because the entities after it could not be audited. */
    public void goOnBehind(String walk, EntityKey key) {
        jdbc.update(
                "update audit_walk set namespace = ?, entity = ? where walk = ?",
                key.namespace(),
                key.entity(),
                walk);
    }

    /** Returns the first keys above {@code from}, up to {@code to} and up to the given number. */
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
