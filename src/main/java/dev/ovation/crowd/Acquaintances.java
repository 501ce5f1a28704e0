package dev.ovation.crowd;

import dev.ovation.store.Columns;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds who of some users reacted to entities. */
@Repository
class Acquaintances {

    /** Each of the users is looked up. */
    private static final String USER_BY_USER =
            """
            (select a.user_id, r.reactions, r.times
             from   unnest(:among) a (user_id) cross join lateral <gathered> r
             where  r.times is not null)
            """
                    .replace("<gathered>", ReactorSql.gathered("e.entity", "a.user_id"));

    /** All reactors of an entity are looked at, who are few. */
    private static final String ALL_REACTORS =
            """
            (select user_id,
                    array_agg(reaction   order by reacted_at desc, reaction desc) as reactions,
                    array_agg(reacted_at order by reacted_at desc, reaction desc) as times
             from   user_reaction
             where  namespace = :namespace and entity = e.entity and user_id = any (:among)
             group  by user_id)
            """;

    private static final String NEWEST =
            """
            select e.entity, n.user_id, n.reactions, n.times, n.size, false as friend,
                   (select p.display_name from user_profile p where p.user_id = n.user_id)
                   as display_name
            from   unnest(:entities) e (entity) cross join lateral (
                select f.*, count(*) over () as size
                from   <found> f
                order  by f.times[1] desc, f.user_id desc
                limit  :page) n
            order  by n.times[1] desc, n.user_id desc
            """;

    private final JdbcClient jdbc;

    Acquaintances(JdbcTemplate jdbc) {
        this.jdbc = JdbcClient.create(jdbc);
    }

    /**
     * Those found on one entity.
     *
     * @param size how many
     * @param newest the newest of them, newest first
     */
    record Found(long size, List<Reactor> newest) {
        static final Found NONE = new Found(0, List.of());
    }

    /**
     * Looks for users on entities, all of one instant.
     *
     * @param among each once
     * @param limit how many of an entity are wanted at most
     * @return the entities on which there are some
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public Map<String, Found> find(
            String namespace, Collection<String> entities, Set<String> among, int limit) {
        var small = new ArrayList<String>();
        var large = new ArrayList<String>();
        sizes(namespace, entities)
                .forEach((entity, size) -> (size <= among.size() ? small : large).add(entity));
        var found = new HashMap<String, Found>();
        for (var part : Map.of(ALL_REACTORS, small, USER_BY_USER, large).entrySet()) {
            if (!part.getValue().isEmpty() && !among.isEmpty()) {
                String sql = NEWEST.replace("<found>", part.getKey());
                collect(sql, namespace, part.getValue(), among, limit, found);
            }
        }
        return found;
    }

    private Map<String, Long> sizes(String namespace, Collection<String> entities) {
        var sizes = new HashMap<String, Long>();
        jdbc.sql(
                        """
                        select entity, sum(count)::bigint
                        from   counter
                        where  namespace = :namespace and entity = any (:entities)
                        group  by entity
                        """)
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
            Map<String, Found> found) {
        jdbc.sql(sql)
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
                                            _ -> new Found(size, new ArrayList<>()))
                                    .newest
                                    .add(Reactor.of(row, 0));
                        });
    }
}
