package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads who reacted to entities last. Whoever is among the newest of an entity is among the newest
 * of one kind there, so the newest of each kind are all that is looked at, however many there are.
 * As in the lists of reactors, the planner is left one plan, and the user decides among equal
 * times.
 */
@Repository
public class NewestReactors {

    private final JdbcTemplate jdbc;

    NewestReactors(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Who reacted last.
     *
     * @param version that of the entity
     * @param rows all reactions of these users; those of each together, newest first
     */
    public record Newest(long version, List<Row> rows) {}

    /** A user's reaction. */
    public record Row(String user, String reaction, long at) {}

    /**
     * Reads all reactions of the users who reacted last, by one statement.
     *
     * @param keys each once
     * @param most how many users of each entity, ordered by their newest reaction
     * @return one for each key
     */
    public Map<EntityKey, Newest> of(Collection<EntityKey> keys, int most) {
        var found = new HashMap<EntityKey, Newest>();
        jdbc.query(
                """
                with newest as (
                    select   k.namespace, k.entity, r.user_id,
                             row_number() over (partition by k.namespace, k.entity
                                                order by max(r.reacted_at) desc, r.user_id desc)
                             as place
                    from     unnest(?, ?) as k (namespace, entity)
                    join     counter c on c.namespace = k.namespace and c.entity = k.entity
                    cross    join lateral (
                                 select   user_id, reacted_at
                                 from     user_reaction u
                                 where    u.namespace = c.namespace and u.entity = c.entity
                                 and      u.reaction = c.reaction
                                 order by reacted_at desc, user_id desc
                                 limit    ?) r
                    group by k.namespace, k.entity, r.user_id)
                select   k.namespace, k.entity, coalesce(e.version, 0),
                         u.user_id, u.reaction, u.reacted_at
                from     unnest(?, ?) as k (namespace, entity)
                left     join entity e using (namespace, entity)
                left     join newest n
                         on  n.namespace = k.namespace and n.entity = k.entity and n.place <= ?
                left     join lateral (
                             select   user_id, reaction, reacted_at
                             from     user_reaction
                             where    namespace = n.namespace and entity = n.entity
                             and      user_id >= n.user_id and user_id <= n.user_id
                             order by user_id, reaction
                             offset   0) u on true
                order by k.namespace, k.entity, n.place, u.reacted_at desc, u.reaction desc
                """,
                row -> {
                    long version = row.getLong(3);
                    var newest =
                            found.computeIfAbsent(
                                    new EntityKey(row.getString(1), row.getString(2)),
                                    _ -> new Newest(version, new ArrayList<>()));
                    if (row.getString(4) != null) {
                        newest.rows.add(
                                new Row(row.getString(4), row.getString(5), row.getLong(6)));
                    }
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                most,
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                most);
        return found;
    }
}
