package dev.ovation.crowd;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the reactors of entities among given users. */
final class ReactorsAmong {

    /** Looks up each of the users. */
    private static final String USER_BY_USER =
            """
            (select a.user_id, r.reactions, r.times
             from   unnest(:among) a (user_id) cross join lateral <gathered> r
             where  r.times is not null)
            """
                    .replace("<gathered>", ReactorSql.gathered("e.p", "e.no", "a.user_id"));

    /** Reads all reactors of an entity, for an entity with few. */
    private static final String ALL_REACTORS =
            """
            (select user_id,
                    array_agg(name       order by reacted_at desc, name desc) as reactions,
                    array_agg(reacted_at order by reacted_at desc, name desc) as times
             from  (select user_id, reacted_at,
                           (select x.name from reaction_name x where x.no = reaction) as name
                    from   user_reaction
                    where  list_no(p, entity_no, reaction)
                           between list_no(e.p, e.no, 0::smallint)
                           and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                    and    user_id = any (:among)) r
             group  by user_id)
            """;

    private static final String NEWEST =
            """
            select e.entity, n.user_id, n.reactions, n.times, n.size, false as friend,
                   (select p.display_name from user_profile p where p.user_id = n.user_id)
                   as display_name
            from   unnest(:entities) k (entity)
            join   entity e on e.namespace = :namespace and e.entity = k.entity /*on e.p*/
            cross  join lateral (
                select f.*, count(*) over () as size
                from   <found> f
                order  by f.times[1] desc, f.user_id desc
                limit  :page) n
            order  by n.times[1] desc, n.user_id desc
            """;

    private final JdbcClient jdbc;
    private final Shards shards;

    ReactorsAmong(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
    }

    /**
     * The reactors found on one entity.
     *
     * @param size number of all of them
     * @param newest the newest of them, newest first
     */
    record AmongResult(long size, List<ListedReactor> newest) {
        static final AmongResult NONE = new AmongResult(0, List.of());
    }

    /**
     * Finds reactors of entities among given users, those of a shard within one snapshot of the
     * caller.
     *
     * @param among users without duplicates
     * @param limit users of each entity at most
     * @return the entities with at least one such reactor
     */
    Map<String, AmongResult> find(
            String namespace, Collection<String> entities, Set<String> among, int limit) {
        var found = new HashMap<String, AmongResult>();
        shards.each(
                entities,
                entity -> shards.partition(new EntityKey(namespace, entity)),
                some -> find(namespace, some, among, limit, found));
        return found;
    }

    private void find(
            String namespace,
            Collection<String> entities,
            Set<String> among,
            int limit,
            Map<String, AmongResult> found) {
        var small = new ArrayList<String>();
        var large = new ArrayList<String>();
        sizes(namespace, entities)
                .forEach((entity, size) -> (size <= among.size() ? small : large).add(entity));
        for (var part : Map.of(ALL_REACTORS, small, USER_BY_USER, large).entrySet()) {
            if (!part.getValue().isEmpty() && !among.isEmpty()) {
                String sql = NEWEST.replace("<found>", part.getKey());
                collect(sql, namespace, part.getValue(), among, limit, found);
            }
        }
    }

    private Map<String, Long> sizes(String namespace, Collection<String> entities) {
        var sizes = new HashMap<String, Long>();
        jdbc.sql(
                        Narrowed.sql(
                                """
                                select e.entity, sum(c.count)::bigint
                                from   entity e
                                join   counter c on c.p = e.p /*on c.p*/ and c.entity_no = e.no
                                where  e.namespace = :namespace and e.entity = any (:entities)
                                /*on e.p*/
                                group  by e.entity
                                """))
                .param("namespace", namespace)
                .param("entities", Columns.texts(entities))
                .query(
                        row -> {
                            sizes.put(row.getString(1), row.getLong(2));
                        });
        return sizes;
    }

    private void collect(
            String sql,
            String namespace,
            List<String> entities,
            Set<String> among,
            int limit,
            Map<String, AmongResult> found) {
        jdbc.sql(Narrowed.sql(sql))
                .param("namespace", namespace)
                .param("entities", Columns.texts(entities))
                .param("among", Columns.texts(among))
                .param("bound", Long.MAX_VALUE)
                .param("page", limit)
                .query(
                        row -> {
                            long size = row.getLong("size");
                            found.computeIfAbsent(
                                            row.getString("entity"),
                                            _ -> new AmongResult(size, new ArrayList<>()))
                                    .newest
                                    .add(ListedReactor.of(row, 0));
                        });
    }
}
