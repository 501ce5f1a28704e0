package dev.ovation.social;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.util.List;

/**
 * Table {@code friendship}: two rows for each, at every commit. Both statements lock the row of the
 * lesser user first, so that a friendship that is made and ended at the same time is not halved.
 * Postgres determines the order, because it compares bytes and Java does not.
 */
@Repository
class Friendships {

    private final JdbcTemplate jdbc;

    Friendships(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A friend and the name, null if none is stored. */
    record Friend(String userId, @Nullable String displayName) {}

    /**
     * Lists friends by id.
     *
     * @param from id after which the list starts
     * @param limit greatest number of friends
     */
    List<Friend> list(String user, String from, int limit) {
        return jdbc.query(
                """
                select f.friend_id, (select p.display_name from user_profile p
                                     where  p.user_id = f.friend_id)
                from   friendship f
                where  f.user_id = ? and f.friend_id > ?
                order  by f.friend_id
                limit  ?
                """,
                (row, _) -> new Friend(row.getString(1), row.getString(2)),
                user,
                from,
                limit);
    }

    /** Makes two users friends; what is there is locked, by an update of nothing. */
    @Transactional
    public void add(String user, String friend) {
        jdbc.update(
                """
                insert into friendship (user_id, friend_id)
                select a, b from (values (?, ?), (?, ?)) pair (a, b) order by a collate "C"
                on conflict (user_id, friend_id)
                do update set friend_id = excluded.friend_id where false
                """,
                user,
                friend,
                friend,
                user);
    }

    /** Ends the friendship of two users. */
    @Transactional
    public void remove(String user, String friend) {
        jdbc.update(
                """
                with pair as materialized (
                    select user_id, friend_id
                    from   friendship
                    where  (user_id = ? and friend_id = ?) or (user_id = ? and friend_id = ?)
                    order  by user_id
                    for    update
                )
                delete from friendship f using pair
                where  f.user_id = pair.user_id and f.friend_id = pair.friend_id
                """,
                user,
                friend,
                friend,
                user);
    }
}
