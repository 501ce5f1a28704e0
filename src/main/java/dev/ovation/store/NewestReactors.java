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
 */
@Repository
public class NewestReactors {

    private final JdbcTemplate jdbc;

    NewestReactors(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A user's reaction. */
    public record Row(String user, String reaction, long at) {}

    /**
     * Reads all reactions of the users who reacted last, by one statement.
     *
     * @param keys each once
     * @param most how many users of each entity
     * @return by entity; the users by their newest reaction, those of each together, newest first
     */
    public Map<EntityKey, List<Row>> of(Collection<EntityKey> keys, int most) {
        var found = new HashMap<EntityKey, List<Row>>();
        jdbc.query(
                """
                with newest as (
                    select   k.namespace, k.entity, r.user_id,
                             row_number() over (partition by k.namespace, k.entity
                                                order by max(r.reacted_at) desc, r.user_id) as place
                    from     unnest(?, ?) as k (namespace, entity)
                    join     counter c on c.namespace = k.namespace and c.entity = k.entity
                    cross    join lateral (
                                 select   user_id, reacted_at
                                 from     user_reaction u
                                 where    u.namespace = c.namespace and u.entity = c.entity
                                 and      u.reaction = c.reaction
                                 order by reacted_at desc, user_id
                                 limit    ?) r
                    group by k.namespace, k.entity, r.user_id)
                select   n.namespace, n.entity, n.user_id, u.reaction, u.reacted_at
                from     newest n
                join     user_reaction u using (namespace, entity, user_id)
                where    n.place <= ?
                order by n.namespace, n.entity, n.place, u.reacted_at desc, u.reaction
                """,
                row -> {
                    found.computeIfAbsent(
                                    new EntityKey(row.getString(1), row.getString(2)),
                                    _ -> new ArrayList<>())
                            .add(new Row(row.getString(3), row.getString(4), row.getLong(5)));
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                most,
                most);
        return found;
    }
}
