package dev.ovation.transfer.merge;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.Columns;
import dev.ovation.store.ReactionNames;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.log.ChangeLog.ChangedCounter;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.staging.StagingTable.Piece;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges staged reactions to their tables and counters, first the removals of a step, then its
 * additions. An addition that is not later than the last removal of the same reaction by the same
 * user is outdated, and so is a removal that is earlier than the addition of the stored row.
 * Therefore a log of changes in the order of their times ends in the latest change of each
 * reaction, also if earlier parts of it are imported again.
 */
public final class ReactionMerge {

    private final JdbcTemplate jdbc;
    private final ReactionNames names;
    private final ChangeLog log;
    private final Shards shards;
    private final DividedMerge divided;

    public ReactionMerge(JdbcTemplate jdbc, ReactionNames names, ChangeLog log, Shards shards) {
        this.jdbc = jdbc;
        this.names = names;
        this.log = log;
        this.shards = shards;
        this.divided = new DividedMerge(jdbc);
    }

    /** The result so far. */
    static final class Tally {
        long applied;
        long outdated;
        final Map<EntityKey, String> ops = new LinkedHashMap<>();
        final Set<ChangedCounter> counters = new LinkedHashSet<>();

        private List<Changed> changed() {
            return ops.entrySet().stream()
                    .map(each -> new Changed(each.getKey(), each.getValue()))
                    .toList();
        }
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
     * Merges reactions, their counters, and the states of their entities; under the lock of their
     * partition, when they have numbers. The first of several additions of one key counts, and
     * existing rows stay unchanged.
     *
     * @param op op of the new states
     * @param leap version gap of the new states; an entity has one new state in a step, also if the
     *     step creates it, and if rows of it are removed and others added
     */
    MergeResult merge(long job, Piece piece, String op, long leap) {
        var tally = new Tally();
        create(job, piece, op, leap, tally);
        if (shards.areMany()) {
            divided.remove(job, piece, op, leap, tally);
            divided.add(job, piece, op, leap, tally);
        } else {
            remove(job, piece, op, leap, tally);
            add(job, piece, op, leap, tally);
        }
        log.appendExclusive(false, null, tally.counters);
        return new MergeResult(tally.applied, tally.outdated, tally.changed());
    }

    /**
     * Creates rows for entities that have none: removals refer to them too. The op of such a row
     * says that the entity has had no reaction yet.
     */
    private void create(long job, Piece piece, String op, long leap, Tally tally) {
        jdbc.query(
                Narrowed.sql(
                        """
                insert into entity (p, no, namespace, entity, version, last_op, last_at)
                select p, (select coalesce(max(no), 0) from entity e where e.p = i.p /*on e.p*/)
                          + row_number() over (),
                       namespace, entity, ?, ?, 0
                from  (select distinct p, namespace, entity from import_row
                       where  job_id = ? and p = ? and n > ? and n <= ?) i
                where  not exists (select from entity e
                                   where  e.namespace = i.namespace and e.entity = i.entity
                                   and    e.p = i.p /*on e.p*/)
                returning namespace, entity, last_op
                """),
                row -> {
                    var key = new EntityKey(row.getString(1), row.getString(2));
                    tally.ops.put(key, row.getString(3));
                },
                leap,
                UniqueNames.UNREACTED + op,
                job,
                piece.p(),
                piece.from(),
                piece.to());
    }

    /** Deletes what the file took back, and remembers it as the removals of users are. */
    private void remove(long job, Piece piece, String op, long leap, Tally tally) {
        var empty = new ArrayList<ChangedCounter>();
        jdbc.query(
                """
                with taken as materialized (
                    select e.p, e.no as entity_no, x.no as reaction, i.user_id, max(i.at) as at
                    from   import_row i
                    join   entity e
                           on e.namespace = i.namespace and e.entity = i.entity and e.p = i.p
                    join   reaction_name x on x.name = i.value
                    where  i.job_id = ? and i.p = ? and i.n > ? and i.n <= ? and i.removes
                    group  by 1, 2, 3, 4),
                remembered as (
                    insert into removal as r (period, p, entity_no, reaction, user_id, removed_at)
                    select (select max(period) from removal_period),
                           p, entity_no, reaction, user_id, at
                    from   taken
                    on conflict (p, user_id, entity_no, reaction, period)
                    do update set removed_at = greatest(r.removed_at, excluded.removed_at)),
                stored as materialized (
                    select t.p, t.entity_no, t.reaction, t.user_id, r.reacted_at > t.at as is_newer
                    from   taken t
                    cross  join lateral (
                        select reacted_at from user_reaction r
                        where  r.p = t.p and r.user_id = t.user_id
                        and    r.entity_no = t.entity_no and r.reaction = t.reaction
                        offset 0) r),
                deleted as (
                    delete from user_reaction r
                    using  stored s
                    where  r.p = s.p and r.user_id = s.user_id
                    and    r.entity_no = s.entity_no and r.reaction = s.reaction
                    and    not s.is_newer
                    returning r.p, r.entity_no, r.reaction, r.user_id),
                tally as (
                    select p, entity_no, reaction, count(*) as count from deleted group by 1, 2, 3),
                went as (
                    select p, entity_no, count(*) as people
                    from  (select p, entity_no, user_id, count(*) as rows
                           from   deleted group by 1, 2, 3) d
                    where  d.rows = (select count(*) from user_reaction r -- as it was before
                                     where  r.p = d.p and r.user_id = d.user_id
                                     and    r.entity_no = d.entity_no)
                    group  by 1, 2),
                counted as (
                    update counter c
                    set    count = c.count - t.count
                    from   tally t
                    where  c.p = t.p and c.entity_no = t.entity_no and c.reaction = t.reaction
                    returning c.p, c.entity_no, c.reaction, c.count as rest, t.count),
                state as (
                    update entity e
                    set    version = e.version + case when e.last_op = ? then 0 else ? end,
                           last_op = ?,
                           people = e.people - coalesce(t.people, 0)
                    from  (select p, entity_no, max(people) as people
                           from   tally left join went using (p, entity_no) group by 1, 2) t
                    where  e.p = t.p and e.no = t.entity_no
                    returning e.p, e.no, e.namespace, e.entity),
                marked as (
                    insert into changed_entity (p, entity_no) select p, no from state)
                select s.namespace, s.entity, c.p, c.entity_no, c.reaction, c.rest, c.count
                from   counted c join state s on s.p = c.p and s.no = c.entity_no
                union  all
                select null, null, 0, 0, 0, 0, count(*) from stored where is_newer
                """,
                row -> {
                    if (row.getString(1) == null) {
                        tally.outdated += row.getLong(7);
                        return;
                    }
                    tally.applied += row.getLong(7);
                    tally.ops.put(new EntityKey(row.getString(1), row.getString(2)), op);
                    var counter = new ChangedCounter(row.getInt(3), row.getInt(4), row.getInt(5));
                    tally.counters.add(counter);
                    if (row.getLong(6) == 0) {
                        empty.add(counter);
                    }
                },
                job,
                piece.p(),
                piece.from(),
                piece.to(),
                op,
                leap,
                op);
        if (!empty.isEmpty()) {
            delete(empty);
        }
    }

    private void delete(List<ChangedCounter> empty) {
        jdbc.update(
                """
                delete from counter c
                using  unnest(?, ?, ?) as k (p, entity_no, reaction)
                where  c.p = k.p and c.entity_no = k.entity_no and c.reaction = k.reaction
                and    c.count = 0
                """,
                Columns.ints(empty, ChangedCounter::p),
                Columns.ints(empty, ChangedCounter::entity),
                Columns.ints(empty, ChangedCounter::reaction));
    }

    private void add(long job, Piece piece, String op, long leap, Tally tally) {
        jdbc.query(
                """
                with given as materialized (
                    select e.p, e.no as entity_no, x.no as reaction, i.user_id, i.at, i.form, i.n,
                           (select max(removed_at) from removal r
                            where  r.p = e.p and r.user_id = i.user_id
                            and    r.entity_no = e.no and r.reaction = x.no) >= i.at as is_outdated
                    from   import_row i
                    join   entity e
                           on e.namespace = i.namespace and e.entity = i.entity and e.p = i.p
                    left   join reaction_name x on x.name = i.value
                    where  i.job_id = ? and i.p = ? and i.n > ? and i.n <= ? and not i.removes),
                added as (
                    insert into user_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                    select p, entity_no, reaction, user_id, at, form
                    from   given
                    where  is_outdated is not true
                    order  by entity_no, user_id, reaction, n
                    on conflict do nothing
                    returning p, entity_no, reaction, user_id, reacted_at),
                tally as (
                    select p, entity_no, reaction, count(*) as count,
                           min(reacted_at) as first_at, max(reacted_at) as last_at
                    from   added group by 1, 2, 3),
                came as (
                    select p, entity_no, count(*) as people
                    from  (select distinct p, entity_no, user_id from added) a
                    where  not exists (select from user_reaction r -- as it was before
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
                    set    version = e.version + case when e.last_op in (?, ?) then 0 else ? end,
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
                union  all
                select null, null, count(*), 0, 0, 0 from given where is_outdated
                """,
                row -> {
                    if (row.getString(1) == null) {
                        tally.outdated += row.getLong(3);
                        return;
                    }
                    tally.applied += row.getLong(3);
                    tally.ops.put(new EntityKey(row.getString(1), row.getString(2)), op);
                    tally.counters.add(
                            new ChangedCounter(row.getInt(4), row.getInt(5), row.getInt(6)));
                },
                job,
                piece.p(),
                piece.from(),
                piece.to(),
                op,
                UniqueNames.UNREACTED + op,
                leap,
                op);
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
