package dev.ovation.transfer.merge;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.ReactionNames;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.log.ChangeLog.ChangedCounter;
import dev.ovation.transfer.staging.StagingTable.Piece;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Merges staged rows to their tables and counters. */
public final class MergeStatements {

    private final JdbcTemplate jdbc;

    private final ReactionNames names;

    private final ChangeLog log;

    public MergeStatements(JdbcTemplate jdbc, ReactionNames names, ChangeLog log) {
        this.jdbc = jdbc;
        this.names = names;
        this.log = log;
    }

    /** Gives numbers to the reactions of a step, in a separate transaction. */
    void number(long job, Piece piece) {
        List<String> unknown =
                jdbc.query(
                        """
                        select distinct value from import_row
                        where  job_id = ? and p = ? and n > ? and n <= ?
                        and    not exists (select from reaction_name where name = value)
                        """,
                        (row, _) -> row.getString(1),
                        job,
                        piece.p(),
                        piece.from(),
                        piece.to());
        if (!unknown.isEmpty()) {
            names.numberImported(unknown);
        }
    }

    /**
     * Merges new reactions, their counters, and the states of their entities; under the lock of
     * their partition, when they have numbers. The first of several rows of one key counts, and
     * existing rows stay unchanged.
     *
     * @param op op of the new states
     * @param leap version gap of the new states
     */
    MergeResult reactions(long job, Piece piece, String op, long leap) {
        create(job, piece);
        var entities = new LinkedHashSet<EntityKey>();
        var counters = new ArrayList<ChangedCounter>();
        var applied = new long[1];
        jdbc.query(
                """
                with added as (
                    insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
                    select e.p, e.no, x.no, i.user_id, i.at
                    from   import_row i
                    join   entity e
                           on e.namespace = i.namespace and e.entity = i.entity and e.p = i.p
                    left   join reaction_name x on x.name = i.value
                    where  i.job_id = ? and i.p = ? and i.n > ? and i.n <= ?
                    order  by e.no, i.user_id, x.no, i.n
                    on conflict do nothing
                    returning p, entity_no, reaction, user_id, reacted_at),
                tally as (
                    select p, entity_no, reaction, count(*) as count,
                           min(reacted_at) as first_at, max(reacted_at) as last_at
                    from   added group by 1, 2, 3),
                came as (
                    select p, entity_no, count(*) as people
                    from  (select distinct p, entity_no, user_id from added) a
                    where  not exists (select from user_reaction r -- as it was before the step
                                       where  r.p = a.p and r.user_id = a.user_id
                                       and    r.entity_no = a.entity_no)
                    group  by 1, 2),
                counted as (
                    insert into counter as c (p, entity_no, reaction, count, first_at, last_at)
                    select * from tally
                    on conflict (p, entity_no, reaction) do update
                    set    count    = c.count + excluded.count,
                           first_at = least(c.first_at, excluded.first_at),
                           last_at  = greatest(c.last_at, excluded.last_at)),
                state as (
                    update entity e
                    set    version = e.version + ?,
                           last_op = ?,
                           last_at = greatest(e.last_at, t.last_at),
                           people = e.people + coalesce(t.people, 0)
                    from  (select p, entity_no, max(last_at) as last_at, max(people) as people
                           from   tally left join came using (p, entity_no) group by 1, 2) t
                    where  e.p = t.p and e.no = t.entity_no
                    returning e.p, e.no, e.namespace, e.entity),
                marked as (
                    insert into changed_entity (p, entity_no) select p, no from state)
                select s.namespace, s.entity, t.count, t.p, t.entity_no, t.reaction
                from   state s join tally t on t.p = s.p and t.entity_no = s.no
                """,
                row -> {
                    entities.add(new EntityKey(row.getString(1), row.getString(2)));
                    applied[0] += row.getLong(3);
                    counters.add(new ChangedCounter(row.getInt(4), row.getInt(5), row.getInt(6)));
                },
                job,
                piece.p(),
                piece.from(),
                piece.to(),
                leap,
                op);
        log.appendExclusive(false, null, counters);
        return new MergeResult(applied[0], List.copyOf(entities));
    }

    /**
     * Creates rows for entities that have none: each gets a reaction from this step, and so a
     * state.
     */
    private void create(long job, Piece piece) {
        jdbc.update(
                """
                insert into entity (p, no, namespace, entity, version, last_op, last_at)
                select p, (select coalesce(max(no), 0) from entity e where e.p = i.p)
                          + row_number() over (),
                       namespace, entity, 0, '', 0
                from  (select distinct p, namespace, entity from import_row
                       where  job_id = ? and p = ? and n > ? and n <= ?) i
                where  not exists (select from entity e
                                   where  e.namespace = i.namespace and e.entity = i.entity
                                   and    e.p = i.p)
                """,
                job,
                piece.p(),
                piece.from(),
                piece.to());
    }

    /**
     * Merges names of users without a name, and avatars of users without an avatar. The first of
     * several rows of one user counts.
     */
    MergeResult users(long job, Piece piece) {
        int applied =
                jdbc.update(
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
        return new MergeResult(applied, List.of());
    }

    /**
     * Merges new friendships; a pair in one direction is a friendship of both users. Both
     * directions exist or neither does, in the one snapshot with the inserted ones. Where another
     * transaction makes or ends a friendship at the same time, the rows are locked in the order
     * that all transactions use. So no friendship is left with one direction.
     */
    MergeResult friends(long job, Piece piece) {
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
        return new MergeResult(applied == null ? 0 : applied, List.of());
    }

    /** Returns the entities of a step. */
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
