package dev.ovation.reaction.read;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the newest reactors of entities. The newest reactors of an entity are among the newest of
 * one kind there, so the statement reads the newest of each kind only, however many there are.
 * Reactions of one time are read together, in the order of their users.
 */
@Repository
public class NewestReactors {

    private final JdbcTemplate jdbc;
    private final Shards shards;

    NewestReactors(JdbcTemplate jdbc, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
    }

    /**
     * The newest reactors of an entity.
     *
     * @param version that of the entity
     * @param rows all reactions of these users; those of each together, newest first
     */
    public record StoredReactorList(long version, List<StoredReactor> rows) {}

    /** A user's reaction. */
    public record StoredReactor(String user, String reaction, long at) {}

    /**
     * Reads all reactions of the users who reacted last, by one statement for each shard.
     *
     * @param keys each once
     * @param most how many users of each entity, ordered by their newest reaction
     * @return one for each key
     */
    public Map<EntityKey, StoredReactorList> of(Collection<EntityKey> keys, int most) {
        var found = new HashMap<EntityKey, StoredReactorList>();
        shards.each(keys, some -> read(some, most, found));
        return found;
    }

    private void read(
            Collection<EntityKey> keys, int most, Map<EntityKey, StoredReactorList> found) {
        jdbc.query(
                Narrowed.sql(
                        """
                with wanted as materialized (
                    select k.namespace, k.entity, e.p, e.no, e.version
                    from   unnest(?, ?) as k (namespace, entity)
                    left   join entity e
                           on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                ), newest as (
                    select   k.p, k.no, r.user_id,
                             row_number() over (partition by k.p, k.no
                                                order by max(r.reacted_at) desc, r.user_id desc)
                             as place
                    from     wanted k
                    join     counter c on c.p = k.p /*on c.p*/ and c.entity_no = k.no
                    cross    join lateral (
                                 select   user_id, reacted_at
                                 from     user_reaction u
                                 where    list_no(u.p, u.entity_no, u.reaction)
                                          = list_no(c.p, c.entity_no, c.reaction) /*on u.p*/
                                 order by reacted_at desc
                                 fetch    first ? rows with ties) r
                    group by k.p, k.no, r.user_id)
                select   k.namespace, k.entity, coalesce(k.version, 0),
                         u.user_id, u.name, u.reacted_at
                from     wanted k
                left     join newest n on n.p = k.p and n.no = k.no and n.place <= ?
                left     join lateral (
                             select   r.user_id, r.reacted_at,
                                      (select x.name from reaction_name x
                                       where  x.no = r.reaction) as name
                             from     user_reaction r
                             where    r.p = n.p /*on r.p*/ and r.user_id = n.user_id and r.entity_no = n.no
                             offset   0) u on true
                order by k.namespace, k.entity, n.place, u.reacted_at desc, u.name desc
                """),
                row -> {
                    long version = row.getLong(3);
                    var newest =
                            found.computeIfAbsent(
                                    new EntityKey(row.getString(1), row.getString(2)),
                                    _ -> new StoredReactorList(version, new ArrayList<>()));
                    if (row.getString(4) != null) {
                        newest.rows.add(
                                new StoredReactor(
                                        row.getString(4), row.getString(5), row.getLong(6)));
                    }
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                most,
                most);
    }
}
