package dev.ovation.store;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Repository;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Table {@code entity}: the number of each entity, and the version and op of its committed state.
 * The next number of a partition is given under its lock. No number is given twice, because rows
 * are never deleted.
 */
@Repository
public class EntityTable {

    private static final String INSERT =
            """
            insert into entity (p, no, namespace, entity, version, last_op, last_at)
            select s.p,
                   (select coalesce(max(no), 0) from entity e where e.p = s.p /*on e.p*/)
                   + row_number() over (partition by s.p),
                   s.namespace, s.entity, s.version, s.op, s.at
            from   unnest(?, ?, ?, ?, ?, ?)
                   as s (p, namespace, entity, version, op, at)
            on conflict (namespace, entity, p) do nothing
            returning namespace, entity, p, no
            """;

    private static final String UPDATE =
            """
            update entity e
            set    version = s.version,
                   last_op = s.op,
                   last_at = s.at
            from   unnest(?, ?, ?, ?, ?, ?, ?, ?)
                   as s (p, namespace, entity, base_version, base_op, version, op, at)
            where  e.p = s.p /*on e.p*/ and e.namespace = s.namespace and e.entity = s.entity
            and    e.version = s.base_version and e.last_op = s.base_op
            returning e.namespace, e.entity, e.p, e.no
            """;

    private static final String MARKED =
            """
            with moved as (
                <moved>
            ), marked as (
                insert into changed_entity (p, entity_no) select p, no from moved
            )
            select namespace, entity, p, no from moved
            """;

    private static final String INSERT_AND_MARK = MARKED.replace("<moved>", INSERT);
    private static final String UPDATE_AND_MARK = MARKED.replace("<moved>", UPDATE);

    private final JdbcTemplate jdbc;
    private final Shards shards;

    EntityTable(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /**
     * Returns SQL for the prefix of the next op of row {@code e}, whose reactions do not change:
     * the given prefix if the entity has had no reaction yet, otherwise an empty text.
     *
     * @param unreacted prefix of the op of an entity without any reaction so far
     */
    public static String prefixOfNextOp(String unreacted) {
        return "case when e.version = 0 or starts_with(e.last_op, '%1$s') then '%1$s' else '' end"
                .formatted(unreacted);
    }

    /** The committed state of an entity; one without a row is at version 0, with an empty op. */
    public record EntityHead(long version, String op) {
        public static final EntityHead NONE = new EntityHead(0, "");
    }

    /**
     * A chain of changes of one entity of partition {@code p}, from its base to its last change;
     * {@code at} is the time of the last one.
     */
    public record EntityStep(int p, EntityKey key, EntityHead base, EntityHead head, long at) {}

    /** The heads of entities, and the numbers of these and of reactions. */
    public record Found(Map<EntityKey, EntityHead> heads, Numbers numbers) {}

    /** Returns the heads of those entities that have one. */
    public Map<EntityKey, EntityHead> heads(Collection<EntityKey> keys) {
        return find(keys, List.of()).heads();
    }

    /** Returns the heads and numbers of those entities, and the numbers of those reactions. */
    public Found find(Collection<EntityKey> keys, Collection<String> reactions) {
        var found = new Found(new HashMap<>(), new Numbers(new HashMap<>(), new HashMap<>()));
        shards.each(keys, some -> find(some, reactions, found));
        return found;
    }

    private void find(Collection<EntityKey> keys, Collection<String> reactions, Found found) {
        jdbc.query(
                Narrowed.sql(
                        """
                        select e.namespace, e.entity, e.p, e.no, e.version, e.last_op
                        from   unnest(?, ?) as k (namespace, entity)
                        join   entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        union all
                        select '', x.name, 0, x.no, 0, ''
                        from   reaction_name x where x.name = any (?)
                        """),
                row -> {
                    if (row.getString(1).isEmpty()) {
                        found.numbers.reactions().put(row.getString(2), row.getInt(4));
                        return;
                    }
                    var key = new EntityKey(row.getString(1), row.getString(2));
                    found.numbers.entities().put(key, new EntityNo(row.getInt(3), row.getInt(4)));
                    found.heads.put(key, new EntityHead(row.getLong(5), row.getString(6)));
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                Columns.texts(reactions));
    }

    /**
     * Updates the states of entities, each only from its base, and marks the entities for the
     * ranking.
     *
     * @return the numbers of the entities
     * @throws IllegalStateException when an entity was not at its base; the transaction must end
     */
    public Map<EntityKey, EntityNo> advance(List<EntityStep> steps) {
        var created = steps.stream().filter(step -> step.base().op().isEmpty()).toList();
        var changed = steps.stream().filter(step -> !step.base().op().isEmpty()).toList();
        var numbers = new HashMap<EntityKey, EntityNo>();
        if (!created.isEmpty()) {
            insert(created, numbers);
        }
        if (!changed.isEmpty()) {
            update(changed, numbers);
        }
        if (numbers.size() != steps.size()) {
            throw new IllegalStateException("an entity changed although its partition was locked");
        }
        if (shards.areMany()) {
            mark(numbers.values());
        }
        return numbers;
    }

    private void insert(List<EntityStep> steps, Map<EntityKey, EntityNo> numbers) {
        jdbc.query(
                Narrowed.sql(shards.areMany() ? INSERT : INSERT_AND_MARK),
                collect(numbers),
                Columns.ints(steps, EntityStep::p),
                Columns.texts(steps, step -> step.key().namespace()),
                Columns.texts(steps, step -> step.key().entity()),
                Columns.longs(steps, step -> step.head().version()),
                Columns.texts(steps, step -> step.head().op()),
                Columns.longs(steps, EntityStep::at));
    }

    private void update(List<EntityStep> steps, Map<EntityKey, EntityNo> numbers) {
        jdbc.query(
                Narrowed.sql(shards.areMany() ? UPDATE : UPDATE_AND_MARK),
                collect(numbers),
                Columns.ints(steps, EntityStep::p),
                Columns.texts(steps, step -> step.key().namespace()),
                Columns.texts(steps, step -> step.key().entity()),
                Columns.longs(steps, step -> step.base().version()),
                Columns.texts(steps, step -> step.base().op()),
                Columns.longs(steps, step -> step.head().version()),
                Columns.texts(steps, step -> step.head().op()),
                Columns.longs(steps, EntityStep::at));
    }

    /** Citus does not insert within a statement that changes another table. */
    private void mark(Collection<EntityNo> entities) {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select * from unnest(?, ?)",
                Columns.ints(entities, EntityNo::p),
                Columns.ints(entities, EntityNo::no));
    }

    private static RowCallbackHandler collect(Map<EntityKey, EntityNo> numbers) {
        return row ->
                numbers.put(
                        new EntityKey(row.getString(1), row.getString(2)),
                        new EntityNo(row.getInt(3), row.getInt(4)));
    }
}
