package dev.ovation.transfer.merge;

import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.staging.StagingTable.Piece;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.Objects;

/** Merges staged names and friendships to their tables. */
public final class MergeStatements {

    private static final String PAIRS =
            """
            with pair as (
                select user_id, value as friend_id from import_row
                where  job_id = ? and p = ? and n > ? and n <= ?)
            """;

    private static final String ADD_FRIENDS =
            """
            insert into friendship (user_id, friend_id)
            select user_id, friend_id
            from  (select user_id, friend_id from pair
                   union
                   select friend_id, user_id from pair) both_ways
            where  not exists (select from friendship f
                               where  f.user_id = both_ways.user_id
                               and    f.friend_id = both_ways.friend_id)
            order  by 1, 2
            on conflict (user_id, friend_id) do update
            set    friend_id = excluded.friend_id
            """;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    public MergeStatements(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /**
     * Merges names of users without a name, and avatars of users without an avatar. The first of
     * several rows of one user counts.
     */
    MergeResult users(long job, Piece piece) {
        int applied =
                merge(
                        """
                        insert into user_profile as u (user_id, display_name, avatar_url)
                        select distinct on (user_id) user_id, nullif(value, ''), avatar_url
                        from   import_row
                        where  job_id = ? and p = ? and n > ? and n <= ?
                        order  by user_id, n
                        on conflict (user_id) do update
                        set    display_name = coalesce(u.display_name, excluded.display_name),
                               avatar_url = coalesce(u.avatar_url, excluded.avatar_url)
                        where  u.display_name is null and excluded.display_name is not null
                        or     u.avatar_url is null and excluded.avatar_url is not null
                        """,
                        job,
                        piece.p(),
                        piece.from(),
                        piece.to());
        return new MergeResult(applied, 0, List.of());
    }

    /**
     * Merges new friendships; a pair in one direction is a friendship of both users. Both
     * directions exist or neither does, in the one snapshot with the inserted ones. Where another
     * transaction makes or ends a friendship at the same time, the rows are locked in the order
     * that all transactions use. So no friendship is left with one direction.
     */
    MergeResult friends(long job, Piece piece) {
        Object[] arguments = {job, piece.p(), piece.from(), piece.to()};
        long applied =
                shards.areMany()
                        ? jdbc
                                .queryForList(
                                        PAIRS + ADD_FRIENDS + "returning user_id < friend_id",
                                        Boolean.class,
                                        arguments)
                                .stream()
                                .filter(Boolean::booleanValue)
                                .count()
                        : Objects.requireNonNull(
                                jdbc.queryForObject(
                                        PAIRS
                                                + ", added as ("
                                                + ADD_FRIENDS
                                                + """
                                                returning user_id, friend_id)
                                                select count(*) from added where user_id < friend_id
                                                """,
                                        Long.class,
                                        arguments));
        return new MergeResult(applied, 0, List.of());
    }

    /**
     * Citus counts the selected rows, also those that change nothing, but returns the changed ones.
     */
    private int merge(String insert, Object... arguments) {
        return shards.areMany()
                ? jdbc.queryForList(insert + "returning true", Boolean.class, arguments).size()
                : jdbc.update(insert, arguments);
    }
}
