package dev.ovation.crowd;

import dev.ovation.store.Columns;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.util.List;

/** Lists what a user reacted to, newest first. */
@Repository
class UserReactions {

    private final JdbcClient jdbc;

    UserReactions(JdbcTemplate jdbc) {
        this.jdbc = JdbcClient.create(jdbc);
    }

    /**
     * A reaction of the user, which is its place in the list, too.
     *
     * @param at in microseconds since 1970
     * @param reaction its key
     */
    record Given(long at, String namespace, String entity, String reaction) {

        /** Before all that there is. */
        static final Given NONE = new Given(Long.MAX_VALUE, "", "", "");
    }

    /**
     * Reads some.
     *
     * @param namespace the only one that is wanted; null for all
     * @param from behind which one
     * @param limit how many at most
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public List<Given> list(String user, @Nullable String namespace, Given from, int limit) {
        List<String> namespaces = namespace == null ? namespaces(user) : List.of(namespace);
        return jdbc.sql(
                        """
                        select l.reacted_at, l.namespace, l.entity, l.reaction
                        from   unnest(:namespaces) n (namespace) cross join lateral (
                            select namespace, entity, reaction, reacted_at
                            from   user_reaction
                            where  user_id = :user and namespace = n.namespace
                            and    reacted_at <= :at
                            and    (reacted_at, namespace, entity, reaction)
                                   < (:at, :namespace, :entity, :reaction)
                            order  by reacted_at desc, entity desc
                            fetch  first :page rows with ties) l
                        order  by l.reacted_at desc, l.namespace desc, l.entity desc, l.reaction desc
                        limit  :page
                        """)
                .param("namespaces", Columns.texts(namespaces))
                .param("user", user)
                .param("at", from.at)
                .param("namespace", from.namespace)
                .param("entity", from.entity)
                .param("reaction", from.reaction)
                .param("page", limit)
                .query(
                        (row, _) ->
                                new Given(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4)))
                .list();
    }

    /** From one to the next by the index: there are few, however much the user reacted. */
    private List<String> namespaces(String user) {
        return jdbc.sql(
                        """
                        with recursive n (namespace) as (
                            (select namespace from user_reaction where user_id = :user
                             order  by namespace limit 1)
                            union all
                            select (select namespace from user_reaction
                                    where  user_id = :user and namespace > n.namespace
                                    order  by namespace limit 1)
                            from   n where n.namespace is not null
                        )
                        select namespace from n where namespace is not null
                        """)
                .param("user", user)
                .query((row, _) -> row.getString(1))
                .list();
    }
}
