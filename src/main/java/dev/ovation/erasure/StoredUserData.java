package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;

/** What Postgres has of a user; what has no lock of its own is deleted here. */
final class StoredUserData {

    /** Rows of one statement. */
    static final int BATCH = 1000;

    private final JdbcClient jdbc;

    StoredUserData(JdbcTemplate jdbc) {
        this.jdbc = JdbcClient.create(jdbc);
    }

    /**
     * Finds the entities on which the user has reactions: one item each, at most the given number.
     */
    List<EntityKey> reactions(String user, int limit) {
        return jdbc.sql(
                        """
                        select e.namespace, e.entity
                        from   partition t
                        cross  join lateral (
                            select p, entity_no from user_reaction
                            where  p = t.p and user_id = ?
                            offset 0) r
                        join   entity e on e.p = r.p and e.no = r.entity_no
                        limit  ?
                        """)
                .params(user, limit)
                .query((row, _) -> new EntityKey(row.getString(1), row.getString(2)))
                .list();
    }

    /** Deletes the name to show. */
    int profile(String user) {
        return jdbc.sql("delete from user_profile where user_id = ?").param(user).update();
    }

    /**
     * Ends some friendships, both rows of each, and returns how many. Rows are locked in the order
     * in which everybody locks them.
     */
    int friendships(String user) {
        return jdbc.sql(
                                """
                                with friend as materialized (
                                    select friend_id from friendship
                                    where  user_id = :user order by friend_id limit :batch),
                                direction (user_id, friend_id) as (
                                    select :user, friend_id from friend
                                    union all
                                    select friend_id, :user from friend),
                                pair as materialized (
                                    select f.user_id, f.friend_id
                                    from   friendship f join direction using (user_id, friend_id)
                                    order  by f.user_id, f.friend_id
                                    for    update of f)
                                delete from friendship f using pair
                                where  f.user_id = pair.user_id and f.friend_id = pair.friend_id
                                """)
                        .param("user", user)
                        .param("batch", BATCH)
                        .update()
                / 2;
    }

    /** Forgets some removals, and returns how many. */
    int removals(String user) {
        return jdbc.sql(
                        """
                        with found as materialized (
                            select r.part, r.place
                            from   partition t
                            cross  join lateral (
                                select tableoid as part, ctid as place from removal
                                where  p = t.p and user_id = :user
                                offset 0) r
                            limit  :batch)
                        delete from removal r
                        using  found
                        where  r.tableoid = found.part and r.ctid = found.place
                        """)
                .param("user", user)
                .param("batch", BATCH)
                .update();
    }

    /** Forgets some answers to idempotency keys, and returns how many. */
    int answers(String user) {
        return jdbc.sql(
                        """
                        with recursive known (namespace) as (
                            select min(namespace) from idempotency
                            union all
                            select (select min(namespace) from idempotency i
                                    where  i.namespace > known.namespace)
                            from   known where namespace is not null),
                        found as materialized (
                            select i.tableoid as part, i.ctid as place
                            from   known join idempotency i using (namespace)
                            where  i.user_id = :user limit :batch)
                        delete from idempotency i
                        using  found
                        where  i.tableoid = found.part and i.ctid = found.place
                        """)
                .param("user", user)
                .param("batch", BATCH)
                .update();
    }
}
