package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;
import java.util.Optional;

/** The data of a user in Postgres; data without a lock of their own are deleted here. */
final class StoredUserData {

    /** Rows of one statement. */
    static final int BATCH = 1000;

    private final JdbcClient jdbc;
    private final Shards shards;

    StoredUserData(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
    }

    /**
     * Waits until each commit that was decided by now is visible on all nodes.
     *
     * @return false if one is not yet
     */
    boolean awaitCommits() throws InterruptedException {
        return shards.awaitCommits();
    }

    /**
     * Finds the entities on which the user has reactions: one item each, at most the given number.
     */
    List<EntityKey> reactions(String user, int limit) {
        return reactions(user, "", Long.MAX_VALUE, limit);
    }

    /**
     * The same within a namespace, of reactions before a time.
     *
     * @param namespace empty for all
     * @param before in microseconds
     */
    List<EntityKey> reactions(String user, String namespace, long before, int limit) {
        return jdbc.sql(
                        shards.together(
                                """
                        select e.namespace, e.entity
                        from   partition t
                        cross  join lateral (
                            select p, entity_no from user_reaction
                            where  p = t.p and user_id = ? and reacted_at < ?
                            offset 0) r
                        join   entity e on e.p = r.p and e.no = r.entity_no
                        where  ? in ('', e.namespace)
                        limit  ?
                        """))
                .params(user, before, namespace, limit)
                .query((row, _) -> new EntityKey(row.getString(1), row.getString(2)))
                .list();
    }

    /** The same of hidden reactions, one item for each entity. */
    List<EntityKey> hiddenReactions(String user, String namespace, long before, int limit) {
        return jdbc.sql(
                        """
                        select distinct e.namespace, e.entity
                        from   hidden_reaction h
                        join   entity e on e.p = h.p and e.no = h.entity_no
                        where  h.user_id = ? and h.reacted_at < ? and ? in ('', e.namespace)
                        limit  ?
                        """)
                .params(user, before, namespace, limit)
                .query((row, _) -> new EntityKey(row.getString(1), row.getString(2)))
                .list();
    }

    /**
     * Returns the time before which a ban concerns reactions: its end in microseconds, the greatest
     * number for a ban without an end. Empty when the user is not banned with this effect.
     *
     * @param namespace empty for a ban in all namespaces
     * @param effect {@code hide} or {@code remove}
     */
    Optional<Long> banEnd(String user, String namespace, String effect) {
        return jdbc.sql(
                        """
                        select coalesce((extract(epoch from until) * 1000000)::bigint, ?)
                        from   user_ban
                        where  user_id = ? and namespace = ? and reactions = ?
                        """)
                .params(Long.MAX_VALUE, user, namespace, effect)
                .query(Long.class)
                .optional();
    }

    /**
     * Finds the entities on which reactions of the user are hidden, and no ban hides them or is
     * about to remove them.
     */
    List<EntityKey> shown(String user, int limit) {
        return jdbc.sql(
                        """
                        select distinct e.namespace, e.entity
                        from   hidden_reaction h
                        join   entity e on e.p = h.p and e.no = h.entity_no
                        where  h.user_id = ?
                        and    not exists (select from user_ban b
                                           where  b.user_id = h.user_id
                                           and    b.namespace in ('', e.namespace)
                                           and   (b.reactions = 'hide'
                                                  or b.reactions = 'remove'
                                                     and coalesce(b.until, 'infinity') > now()))
                        limit  ?
                        """)
                .params(user, limit)
                .query((row, _) -> new EntityKey(row.getString(1), row.getString(2)))
                .list();
    }

    /** Returns whether an erasure of the user has begun and not ended. */
    boolean isBeingErased(String user) {
        return jdbc.sql(
                        """
                        select exists (select from job
                                       where  state in ('waiting', 'running')
                                       and    kind = ? and request ->> ? = ?)
                        """)
                .params(UserErasure.KIND, UserErasure.USER, user)
                .query(Boolean.class)
                .single();
    }

    /**
     * Lifts the bans of the user, within a transaction. All changes of bans lock the version first.
     */
    int bans(String user) {
        var _ = jdbc.sql("select version from ban_version for update").query(Long.class).single();
        int lifted = jdbc.sql("delete from user_ban where user_id = ?").param(user).update();
        if (lifted > 0) {
            jdbc.sql("update ban_version set version = version + 1").update();
        }
        return lifted;
    }

    /** Deletes the hidden reactions. */
    int hidden(String user) {
        return jdbc.sql("delete from hidden_reaction where user_id = ?").param(user).update();
    }

    /** Deletes the name to show. */
    int profile(String user) {
        return jdbc.sql("delete from user_profile where user_id = ?").param(user).update();
    }

    /**
     * Friendships that a statement has ended.
     *
     * @param more whether it found as many as one statement ends
     */
    record EndedFriendships(int count, boolean more) {}

    /**
     * Ends some friendships, both rows of each. Rows are locked in the order in which everybody
     * locks them.
     */
    EndedFriendships friendships(String user) {
        if (shards.areMany()) {
            return friendshipsOnAllNodes(user);
        }
        int count = friendshipsOf(user);
        return new EndedFriendships(count, count == BATCH);
    }

    /**
     * Citus locks the whole table for a change, because it is on all nodes. Some that were found
     * may have ended before that.
     */
    private EndedFriendships friendshipsOnAllNodes(String user) {
        List<String> friends =
                jdbc.sql(
                                """
                                select friend_id from friendship
                                where  user_id = ? order by friend_id limit ?
                                """)
                        .params(user, BATCH)
                        .query((row, _) -> row.getString(1))
                        .list();
        Object all = Columns.texts(friends);
        int rows =
                jdbc.sql(
                                """
                                delete from friendship f
                                using  unnest(?) as k (friend_id)
                                where  (f.user_id, f.friend_id) = (?, k.friend_id)
                                or     (f.user_id, f.friend_id) = (k.friend_id, ?)
                                """)
                        .params(all, user, user)
                        .update();
        return new EndedFriendships(rows / 2, friends.size() == BATCH);
    }

    private int friendshipsOf(String user) {
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

    /** Forgets some removals in each shard, and returns how many. */
    int removals(String user) {
        return deleteInEachShard(
                user,
                """
                with found as materialized (
                    select r.part, r.place
                    from   partition t
                    cross  join lateral (
                        select tableoid as part, ctid as place
                        from   removal
                        where  p = t.p /*on p*/ and user_id = :user
                        offset 0) r
                    where  true /*on t.p*/
                    limit  :batch)
                delete from removal r
                using  found
                where  r.tableoid = found.part
                and    r.ctid = found.place /*on r.p*/
                """);
    }

    /** Forgets some answers to idempotency keys in each shard, and returns how many. */
    int answers(String user) {
        return deleteInEachShard(
                user,
                """
                with recursive known (namespace) as (
                    select min(namespace) from idempotency
                    where  true /*on p*/
                    union all
                    select (select min(namespace) from idempotency i
                            where  i.namespace > known.namespace
                            /*on i.p*/)
                    from   known where namespace is not null),
                found as materialized (
                    select i.tableoid as part, i.ctid as place
                    from   known
                    join   idempotency i using (namespace)
                    where  i.user_id = :user /*on i.p*/
                    limit  :batch)
                delete from idempotency i
                using  found
                where  i.tableoid = found.part
                and    i.ctid = found.place /*on i.p*/
                """);
    }

    /** Deletes a batch of rows of a user in each shard, and returns their number. */
    private int deleteInEachShard(String user, String sql) {
        return shards.sum(
                () ->
                        jdbc.sql(Narrowed.sql(sql))
                                .param("user", user)
                                .param("batch", BATCH)
                                .update());
    }
}
