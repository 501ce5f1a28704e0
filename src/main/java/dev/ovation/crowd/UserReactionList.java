package dev.ovation.crowd;

import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.util.List;

/**
 * Lists the reactions of a user, newest first. Each page reads and sorts all of them, partition by
 * partition: that takes little time for some ten thousand reactions, and few users have more.
 */
@Repository
class UserReactionList {

    private static final String PAGE =
            """
            select r.reacted_at, e.namespace, e.entity, x.name
            from   partition t
            cross  join lateral (
                select p, entity_no, reaction, reacted_at
                from   user_reaction
                where  p = t.p and user_id = :user and reacted_at <= :at
                offset 0) r
            join   entity e on e.p = r.p and e.no = r.entity_no
            join   reaction_name x on x.no = r.reaction
            where  (:only = '' or e.namespace = :only)
            and    (r.reacted_at, e.namespace, e.entity, x.name)
                   < (:at, :namespace, :entity, :reaction)
            order  by r.reacted_at desc, e.namespace desc, e.entity desc, x.name desc
            limit  :page
            """;

    private final JdbcClient jdbc;
    private final Shards shards;

    UserReactionList(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
    }

    /**
     * A reaction of the user, which is also its place in the list.
     *
     * @param at time of the reaction, in microseconds since 1970
     * @param reaction its key
     */
    record UserReactionRow(long at, String namespace, String entity, String reaction) {

        /** The place before all reactions. */
        static final UserReactionRow NONE = new UserReactionRow(Long.MAX_VALUE, "", "", "");
    }

    /**
     * Reads a page.
     *
     * @param namespace only namespace of the page; null for all
     * @param from place after which the page begins
     * @param limit reactions at most
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public List<UserReactionRow> list(
            String user, @Nullable String namespace, UserReactionRow from, int limit) {
        return jdbc.sql(shards.together(PAGE))
                .param("only", namespace == null ? "" : namespace)
                .param("user", user)
                .param("at", from.at)
                .param("namespace", from.namespace)
                .param("entity", from.entity)
                .param("reaction", from.reaction)
                .param("page", limit)
                .query(
                        (row, _) ->
                                new UserReactionRow(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4)))
                .list();
    }
}
