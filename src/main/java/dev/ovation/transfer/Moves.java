package dev.ovation.transfer;

import dev.ovation.entity.EntityKey;
import dev.ovation.transfer.ImportRows.Piece;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;

/** Moves pieces of imports to where they belong, each by one statement. */
final class Moves {

    private final JdbcTemplate jdbc;

    Moves(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Reactions that are not there yet, their counters, and the states of their entities; under the
     * lock of their partition. The first of several rows of one key counts, and what is there stays
     * as it is.
     *
     * @param op by which the new states are known
     * @param leap how much greater their versions are to be
     */
    Moved reactions(long job, Piece piece, String op, long leap) {
        var entities = new ArrayList<EntityKey>();
        var applied = new long[1];
        jdbc.query(
                """
                with added as (
                    insert into user_reaction (namespace, entity, user_id, reaction, reacted_at)
                    select namespace, entity, user_id, value, at from import_row
                    where  job_id = ? and p = ? and n > ? and n <= ?
                    order  by namespace, entity, user_id, value, n
                    on conflict do nothing
                    returning namespace, entity, reaction, reacted_at),
                tally as (
                    select namespace, entity, reaction, count(*) as count,
                           min(reacted_at) as first_at, max(reacted_at) as last_at
                    from   added group by 1, 2, 3),
                counted as (
                    insert into counter as c (namespace, entity, reaction, count, first_at, last_at)
                    select * from tally
                    on conflict (namespace, entity, reaction) do update
                    set    count    = c.count + excluded.count,
                           first_at = least(c.first_at, excluded.first_at),
                           last_at  = greatest(c.last_at, excluded.last_at)),
                state as (
                    insert into entity as e (namespace, entity, version, last_op, last_at)
                    select namespace, entity, ?, ?, max(last_at) from tally group by 1, 2
                    on conflict (namespace, entity) do update
                    set    version = e.version + excluded.version,
                           last_op = excluded.last_op,
                           last_at = greatest(e.last_at, excluded.last_at))
                select namespace, entity, sum(count)::bigint from tally group by 1, 2
                """,
                row -> {
                    entities.add(new EntityKey(row.getString(1), row.getString(2)));
                    applied[0] += row.getLong(3);
                },
                job,
                piece.p(),
                piece.from(),
                piece.to(),
                leap,
                op);
        return new Moved(applied[0], entities);
    }

    /** Names of users who have none. The first of several rows of one user counts. */
    Moved users(long job, Piece piece) {
        int applied =
                jdbc.update(
                        """
                        insert into user_profile (user_id, display_name)
                        select user_id, value from import_row
                        where  job_id = ? and p = ? and n > ? and n <= ?
                        order  by user_id, n
                        on conflict do nothing
                        """,
                        job,
                        piece.p(),
                        piece.from(),
                        piece.to());
        return new Moved(applied, List.of());
    }

    /**
     * Friendships that are not there yet; a pair in one direction is a friendship of both. What is
     * there is there as a whole, in one snapshot with what is inserted; where somebody else is just
     * making or ending one, the rows are locked in the order in which all lock them. So none is
     * halved.
     */
    Moved friends(long job, Piece piece) {
        Long applied =
                jdbc.queryForObject(
                        """
                        with pair as (
                            select user_id, value as friend_id from import_row
                            where  job_id = ? and p = ? and n > ? and n <= ?),
                        added as (
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
                            returning user_id, friend_id)
                        select count(*) from added where user_id < friend_id
                        """,
                        Long.class,
                        job,
                        piece.p(),
                        piece.from(),
                        piece.to());
        return new Moved(applied == null ? 0 : applied, List.of());
    }

    /** The entities of a piece. */
    List<EntityKey> entities(long job, Piece piece) {
        return jdbc.query(
                """
                select distinct namespace, entity from import_row
                where  job_id = ? and p = ? and n > ? and n <= ?
                """,
                (row, _) -> new EntityKey(row.getString(1), row.getString(2)),
                job,
                piece.p(),
                piece.from(),
                piece.to());
    }
}
