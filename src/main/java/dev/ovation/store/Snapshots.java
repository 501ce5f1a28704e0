package dev.ovation.store;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the committed state of entities, each with one statement and so from one snapshot. */
@Repository
public class Snapshots {

    private static final String ENTITY =
            """
            (select 'partition' as part, '' as name, '' as reaction, epoch as a, 0 as b, 0 as c
             from   partition where p = ?)
            union all
            (select 'entity', last_op, '', version, last_at, 0
             from   entity where namespace = ? and entity = ?)
            union all
            (select 'counter', '', reaction, count, first_at, last_at
             from   counter where namespace = ? and entity = ?)
            union all
            (select 'viewer', user_id, reaction, reacted_at, 0, 0
             from   user_reaction where namespace = ? and entity = ? and user_id = ?)
            union all
            (select 'reactor', user_id, reaction, reacted_at, 0, 0
             from   user_reaction where namespace = ? and entity = ?
             order  by user_id, reaction
             limit  ?)
            order by a, reaction
            """;

    private final JdbcTemplate jdbc;

    Snapshots(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** One user on one entity. */
    public record UserOfEntity(EntityKey key, String user) {}

    /**
     * Reads an entity.
     *
     * @param p its partition
     * @param key which one
     * @param viewer the user that is asked for; null for none
     * @param limit up to how many user reactions make a complete snapshot; above, and for a limit
     *     of 0, it holds the viewer alone
     */
    public EntitySnapshot entity(int p, EntityKey key, @Nullable String viewer, int limit) {
        var rows = new Rows();
        String namespace = key.namespace();
        String entity = key.entity();
        jdbc.query(
                ENTITY,
                row -> {
                    rows.add(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            new long[] {row.getLong(4), row.getLong(5), row.getLong(6)});
                },
                p,
                namespace,
                entity,
                namespace,
                entity,
                namespace,
                entity,
                viewer,
                namespace,
                entity,
                limit == 0 ? 0 : limit + 1);
        return rows.snapshot(viewer, limit);
    }

    /** Reads the reactions, oldest first, of users on entities; who has none has an empty list. */
    public Map<UserOfEntity, List<String>> users(Collection<UserOfEntity> wanted) {
        Set<UserOfEntity> users = Set.copyOf(wanted); // one named twice would find each row twice
        var found = new HashMap<UserOfEntity, List<String>>();
        jdbc.query(
                """
                select r.namespace, r.entity, r.user_id, r.reaction
                from   unnest(?, ?, ?) as k (namespace, entity, user_id)
                join   user_reaction r using (namespace, entity, user_id)
                order  by r.reacted_at, r.reaction
                """,
                row -> {
                    var key = new EntityKey(row.getString(1), row.getString(2));
                    found.computeIfAbsent(
                                    new UserOfEntity(key, row.getString(3)), _ -> new ArrayList<>())
                            .add(row.getString(4));
                },
                Columns.texts(users, user -> user.key().namespace()),
                Columns.texts(users, user -> user.key().entity()),
                Columns.texts(users, UserOfEntity::user));
        users.forEach(user -> found.putIfAbsent(user, List.of()));
        return found;
    }

    /** Collects the parts of one snapshot. */
    private static final class Rows {
        private long epoch;
        private long version;
        private String op = "";
        private long lastAt;
        private int reactions;
        private final List<Counter> counters = new ArrayList<>();
        private final Map<String, List<String>> reactors = new LinkedHashMap<>();
        private final List<String> viewers = new ArrayList<>();

        void add(String part, String name, String reaction, long[] n) {
            switch (part) {
                case "partition" -> epoch = n[0];
                case "entity" -> {
                    version = n[0];
                    op = name;
                    lastAt = n[1];
                }
                case "counter" -> counters.add(new Counter(reaction, n[0], n[1], n[2]));
                case "viewer" -> viewers.add(reaction);
                case "reactor" -> {
                    reactions++;
                    reactors.computeIfAbsent(name, _ -> new ArrayList<>()).add(reaction);
                }
                default -> throw new IllegalStateException(part);
            }
        }

        EntitySnapshot snapshot(@Nullable String viewer, int limit) {
            boolean complete = limit > 0 && reactions <= limit;
            Map<String, List<String>> users =
                    complete ? reactors : viewer == null ? Map.of() : Map.of(viewer, viewers);
            return new EntitySnapshot(epoch, version, op, lastAt, counters, complete, users);
        }
    }
}
