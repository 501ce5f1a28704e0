package dev.ovation.store.snapshot;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads the committed states of entities by one statement, and so from one snapshot. */
@Repository
public class Snapshots {

    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

    /** All parameters are in subqueries; otherwise Postgres would plan anew for each value. */
    static final String ENTITIES =
            """
            select k.i, f.*
            from   unnest((select ?::int[]), (select ?::text[]), (select ?::text[]), (select ?::text[]))
                   with ordinality as k (p, namespace, entity, viewer, i)
            left   join entity e
                   on e.namespace = k.namespace and e.entity = k.entity and e.p = k.p /*on e.p*/
            cross  join lateral (
                (select 'partition' as part, '' as name, '' as reaction, epoch as a, 0 as b, 0 as c
                 from   partition where p = k.p /*on p*/)
                union all
                (select 'entity', e.last_op, e.lock, e.version, e.last_at, e.people where e.no is not null)
                union all
                (select 'counter', '', (select x.name from reaction_name x where x.no = reaction),
                        count, first_at, last_at
                 from   counter where p = e.p /*on p*/ and entity_no = e.no)
                union all
                (select 'viewer', user_id,
                        (select x.name from reaction_name x where x.no = reaction)
                        || coalesce(chr(28) || form, ''),
                        reacted_at, 0, 0
                 from   user_reaction
                 where  p = e.p /*on p*/ and user_id = k.viewer and entity_no = e.no)
                union all
                (select 'reactor', user_id,
                        (select x.name from reaction_name x where x.no = reaction)
                        || coalesce(chr(28) || form, ''),
                        reacted_at, 0, 0
                 from   user_reaction
                 where  list_no(p, entity_no, reaction)
                        between list_no(e.p, e.no, 0::smallint)
                        and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                 order  by list_no(p, entity_no, reaction), reacted_at
                 limit  (select ?::int))) as f
            order  by a, reaction
            """;

    /**
     * The same statement as a function on the node of a shard, where it keeps its plan: function
     * {@code read_entities_at}.
     */
    private static final String ENTITIES_AT =
            "select * from read_entities_at(?::smallint, ?, ?, ?, ?, ?)";

    private final JdbcTemplate jdbc;
    private final Shards shards;

    /** Creates a reader of these shards. */
    public Snapshots(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /**
     * A requested entity.
     *
     * @param p its partition
     * @param viewer the user whose reactions are read as well; null for none
     */
    public record Wanted(int p, EntityKey key, @Nullable String viewer) {}

    /**
     * Reads entities, those of a shard all of one instant.
     *
     * @param limit greatest number of user reactions of a complete snapshot; above it, and for a
     *     limit of 0, a snapshot has the reactions of the viewer only
     * @return the snapshots in the order of the request
     */
    public List<EntitySnapshot> entities(List<Wanted> wanted, int limit) {
        return shards.ask(wanted, Wanted::p, some -> read(some, limit));
    }

    private List<EntitySnapshot> read(List<Wanted> wanted, int limit) {
        Object[] columns = {
            Columns.ints(wanted, Wanted::p),
            Columns.texts(wanted, each -> each.key().namespace()),
            Columns.texts(wanted, each -> each.key().entity()),
            Columns.texts(wanted, Wanted::viewer),
            limit == 0 ? 0 : limit + 1
        };
        List<SnapshotRows> rows = ofShard(wanted, columns);
        if (rows.isEmpty()) {
            rows = query(Narrowed.sql(ENTITIES), wanted.size(), columns);
        }
        List<EntitySnapshot> found = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            found.add(rows.get(i).snapshot(wanted.get(i).viewer(), limit));
        }
        return found;
    }

    /**
     * Reads entities of one shard by the function; none if Postgres is undivided, or the function
     * is not called. A shard that moves, is split or has no copy of the function lacks rows. Citus
     * does not call the function on the node within a transaction.
     */
    private List<SnapshotRows> ofShard(List<Wanted> wanted, Object[] columns) {
        if (!Narrowed.isBound() || TransactionSynchronizationManager.isActualTransactionActive()) {
            return List.of();
        }
        try {
            int at = wanted.getFirst().p();
            Object[] arguments = Stream.concat(Stream.of(at), Stream.of(columns)).toArray();
            List<SnapshotRows> rows = query(ENTITIES_AT, wanted.size(), arguments);
            return rows.stream().allMatch(SnapshotRows::hasPartition) ? rows : List.of();
        } catch (BadSqlGrammarException e) {
            LOG.debug("A copy of function read_entities is dropped or forbidden: {}", e.toString());
            return List.of();
        }
    }

    private List<SnapshotRows> query(String statement, int count, Object[] arguments) {
        List<SnapshotRows> rows = Stream.generate(SnapshotRows::new).limit(count).toList();
        jdbc.query(
                statement,
                row -> {
                    rows.get(row.getInt(1) - 1)
                            .add(
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4),
                                    new long[] {row.getLong(5), row.getLong(6), row.getLong(7)});
                },
                arguments);
        return rows;
    }

    /** The parts of one snapshot while it is read. */
    private static final class SnapshotRows {
        private boolean hasPartition;
        private long epoch;
        private long version;
        private String op = "";
        private long lastAt;
        private long people;
        private @Nullable String lock;
        private int reactions;
        private final List<Counter> counters = new ArrayList<>();
        private final Map<String, List<String>> reactors = new LinkedHashMap<>();
        private final List<String> viewers = new ArrayList<>();
        private final Map<String, Long> lastReactedAt = new HashMap<>();

        void add(String part, String name, @Nullable String reaction, long[] n) {
            switch (part) {
                case "partition" -> {
                    hasPartition = true;
                    epoch = n[0];
                }
                case "entity" -> {
                    version = n[0];
                    op = name;
                    lastAt = n[1];
                    people = n[2];
                    lock = reaction;
                }
                case "counter" ->
                        counters.add(
                                new Counter(Objects.requireNonNull(reaction), n[0], n[1], n[2]));
                case "viewer" -> {
                    viewers.add(Objects.requireNonNull(reaction));
                    lastReactedAt.merge(name, n[0], Math::max);
                }
                case "reactor" -> {
                    reactions++;
                    lastReactedAt.merge(name, n[0], Math::max);
                    reactors.computeIfAbsent(name, _ -> new ArrayList<>())
                            .add(Objects.requireNonNull(reaction));
                }
                default -> throw new IllegalStateException(part);
            }
        }

        boolean hasPartition() {
            return hasPartition;
        }

        EntitySnapshot snapshot(@Nullable String viewer, int limit) {
            boolean complete = limit > 0 && reactions <= limit;
            Map<String, List<String>> users =
                    complete ? reactors : viewer == null ? Map.of() : Map.of(viewer, viewers);
            lastReactedAt.keySet().retainAll(users.keySet());
            return new EntitySnapshot(
                    epoch,
                    version,
                    op,
                    lastAt,
                    people,
                    counters,
                    complete,
                    users,
                    lock,
                    lastReactedAt);
        }
    }
}
