package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Table {@code entity}: the identity of each entity's committed state. */
@Repository
public class EntityTable {

    private final JdbcTemplate jdbc;

    EntityTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The committed state of an entity; one without a row is at version 0, with an empty op. */
    public record Head(long version, String op) {
        public static final Head NONE = new Head(0, "");
    }

    /**
     * A chain of changes of one entity, from its base to its last; {@code at} is the last one's.
     */
    public record Step(EntityKey key, Head base, Head head, long at) {}

    /** Returns the heads of those entities that have one. */
    public Map<EntityKey, Head> heads(Collection<EntityKey> keys) {
        var heads = new HashMap<EntityKey, Head>();
        jdbc.query(
                """
                select e.namespace, e.entity, e.version, e.last_op
                from   unnest(?, ?) as k (namespace, entity)
                join   entity e using (namespace, entity)
                """,
                row -> {
                    heads.put(
                            new EntityKey(row.getString(1), row.getString(2)),
                            new Head(row.getLong(3), row.getString(4)));
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity));
        return heads;
    }

    /**
     * Moves entities, each only from its base.
     *
     * @throws IllegalStateException when one was not at its base; the transaction must end
     */
    public void advance(List<Step> steps) {
        var created = steps.stream().filter(step -> step.base().op().isEmpty()).toList();
        var changed = steps.stream().filter(step -> !step.base().op().isEmpty()).toList();
        int rows =
                (created.isEmpty() ? 0 : insert(created))
                        + (changed.isEmpty() ? 0 : update(changed));
        if (rows != steps.size()) {
            throw new IllegalStateException("an entity changed although its partition was locked");
        }
    }

    private int insert(List<Step> steps) {
        return jdbc.update(
                """
                insert into entity (namespace, entity, version, last_op, last_at)
                select * from unnest(?, ?, ?, ?, ?)
                on conflict do nothing
                """,
                Columns.texts(steps, step -> step.key().namespace()),
                Columns.texts(steps, step -> step.key().entity()),
                Columns.longs(steps, step -> step.head().version()),
                Columns.texts(steps, step -> step.head().op()),
                Columns.longs(steps, Step::at));
    }

    private int update(List<Step> steps) {
        return jdbc.update(
                """
                update entity e
                set    version = s.version,
                       last_op = s.op,
                       last_at = s.at
                from   unnest(?, ?, ?, ?, ?, ?, ?)
                       as s (namespace, entity, base_version, base_op, version, op, at)
                where  e.namespace = s.namespace and e.entity = s.entity
                and    e.version = s.base_version and e.last_op = s.base_op
                """,
                Columns.texts(steps, step -> step.key().namespace()),
                Columns.texts(steps, step -> step.key().entity()),
                Columns.longs(steps, step -> step.base().version()),
                Columns.texts(steps, step -> step.base().op()),
                Columns.longs(steps, step -> step.head().version()),
                Columns.texts(steps, step -> step.head().op()),
                Columns.longs(steps, Step::at));
    }
}
