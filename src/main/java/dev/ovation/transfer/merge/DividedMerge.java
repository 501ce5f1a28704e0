package dev.ovation.transfer.merge;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.store.Columns;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.divided.ReactionRows;
import dev.ovation.store.divided.ReactionRows.ReactionRow;
import dev.ovation.store.log.ChangeLog.ChangedCounter;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.transfer.merge.ReactionMerge.Tally;
import dev.ovation.transfer.staging.StagingTable.Piece;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The merge of staged reactions on a divided Postgres, by statements that insert into one table
 * each. The caller holds the lock of the partition.
 */
final class DividedMerge {

    private final JdbcTemplate jdbc;
    private final ReactionRows rows;

    DividedMerge(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        this.rows = new ReactionRows(jdbc);
    }

    /** The change of an entity. */
    private record EntityChange(EntityNo entity, long people, long lastAt) {}

    /** Deletes what the file took back, and remembers it as the removals of users are. */
    void remove(long job, Piece piece, String op, long leap, Tally tally) {
        List<ReactionRow> taken =
                jdbc.query(
                        Narrowed.sql(
                                """
                                select e.p, e.no, x.no, i.user_id, max(i.at), null
                                from   import_row i
                                join   entity e
                                       on e.namespace = i.namespace and e.entity = i.entity
                                       and e.p = i.p /*on e.p*/
                                join   reaction_name x on x.name = i.value
                                where  i.job_id = ? and i.p = ? and i.n > ? and i.n <= ?
                                and    i.removes /*on i.p*/
                                group  by 1, 2, 3, 4
                                """),
                        ReactionRows::row,
                        job,
                        piece.p(),
                        piece.from(),
                        piece.to());
        if (taken.isEmpty()) {
            return;
        }
        rows.remember(taken);
        tally.outdated += newer(taken);
        List<ReactionRow> deleted = delete(taken);
        tally.applied += deleted.size();
        var counts = new LinkedHashMap<ChangedCounter, Long>();
        deleted.forEach(row -> counts.merge(counter(row), 1L, Long::sum));
        tally.counters.addAll(counts.keySet());
        uncount(counts);
        Map<EntityNo, Long> gone = rows.gone(deleted);
        renew(changes(deleted, gone, -1), op, leap, tally);
    }

    private long newer(List<ReactionRow> taken) {
        Long newer =
                jdbc.queryForObject(
                        Narrowed.sql(
                                """
                                select count(*)
                                from   unnest(?, ?, ?, ?, ?) as k (p, entity_no, reaction, user_id, at)
                                join   user_reaction r
                                       on  r.p = k.p /*on r.p*/ and r.user_id = k.user_id
                                       and r.entity_no = k.entity_no and r.reaction = k.reaction
                                where  r.reacted_at > k.at
                                """),
                        Long.class,
                        ReactionRows.columns(taken, 5));
        return newer == null ? 0 : newer;
    }

    private List<ReactionRow> delete(List<ReactionRow> taken) {
        return jdbc.query(
                Narrowed.sql(
                        """
                        delete from user_reaction r
                        using  unnest(?, ?, ?, ?, ?) as k (p, entity_no, reaction, user_id, at)
                        where  r.p = k.p /*on r.p*/ and r.user_id = k.user_id
                        and    r.entity_no = k.entity_no and r.reaction = k.reaction
                        and    r.reacted_at <= k.at
                        returning r.p, r.entity_no, r.reaction, r.user_id, r.reacted_at, r.form
                        """),
                ReactionRows::row,
                ReactionRows.columns(taken, 5));
    }

    private void uncount(Map<ChangedCounter, Long> counts) {
        if (counts.isEmpty()) {
            return;
        }
        Object p = Columns.ints(counts.keySet(), ChangedCounter::p);
        Object entities = Columns.ints(counts.keySet(), ChangedCounter::entity);
        Object reactions = Columns.ints(counts.keySet(), ChangedCounter::reaction);
        jdbc.update(
                Narrowed.sql(
                        """
                        update counter c
                        set    count = c.count - k.count
                        from   unnest(?, ?, ?, ?) as k (p, entity_no, reaction, count)
                        where  c.p = k.p /*on c.p*/
                        and    c.entity_no = k.entity_no and c.reaction = k.reaction
                        """),
                p,
                entities,
                reactions,
                Columns.longs(counts.values(), Long::longValue));
        ReactionTables.deleteEmptyCounters(jdbc, p, entities, reactions);
    }

    /** Adds what the file has, unless it was taken back later. */
    void add(long job, Piece piece, String op, long leap, Tally tally) {
        var given = new ArrayList<ReactionRow>();
        jdbc.query(
                Narrowed.sql(
                        """
                        select e.p, e.no, x.no, i.user_id, i.at, i.form,
                               (select max(removed_at) from removal r
                                where  r.p = e.p /*on r.p*/ and r.user_id = i.user_id
                                and    r.entity_no = e.no and r.reaction = x.no) >= i.at
                        from   import_row i
                        join   entity e
                               on e.namespace = i.namespace and e.entity = i.entity
                               and e.p = i.p /*on e.p*/
                        left   join reaction_name x on x.name = i.value
                        where  i.job_id = ? and i.p = ? and i.n > ? and i.n <= ?
                        and    not i.removes /*on i.p*/
                        order  by i.n
                        """),
                row -> {
                    Objects.requireNonNull(row.getObject(3), "a reaction without a number");
                    if (row.getBoolean(7)) {
                        tally.outdated++;
                    } else {
                        given.add(ReactionRows.row(row, 0));
                    }
                },
                job,
                piece.p(),
                piece.from(),
                piece.to());
        if (given.isEmpty()) {
            return;
        }
        List<ReactionRow> added = rows.insert(given);
        tally.applied += added.size();
        added.forEach(row -> tally.counters.add(counter(row)));
        rows.count(added);
        renew(changes(added, rows.come(added), 1), op, leap, tally);
    }

    private static ChangedCounter counter(ReactionRow row) {
        return new ChangedCounter(row.entity().p(), row.entity().no(), row.reaction());
    }

    private static List<EntityChange> changes(
            Collection<ReactionRow> rows, Map<EntityNo, Long> people, int sign) {
        var last = new HashMap<EntityNo, Long>();
        rows.forEach(row -> last.merge(row.entity(), sign < 0 ? 0 : row.at(), Math::max));
        return last.entrySet().stream()
                .map(
                        each ->
                                new EntityChange(
                                        each.getKey(),
                                        sign * people.getOrDefault(each.getKey(), 0L),
                                        each.getValue()))
                .toList();
    }

    /** Gives entities a new state, which is one in a step. */
    private void renew(List<EntityChange> changes, String op, long leap, Tally tally) {
        if (changes.isEmpty()) {
            return;
        }
        jdbc.query(
                Narrowed.sql(
                        """
                        update entity e
                        set    version = e.version + case when e.last_op in (?, ?) then 0 else ? end,
                               last_op = ?,
                               people  = e.people + k.people,
                               last_at = greatest(e.last_at, k.last_at)
                        from   unnest(?, ?, ?, ?) as k (p, no, people, last_at)
                        where  e.p = k.p and e.no = k.no /*on e.p*/
                        returning e.namespace, e.entity
                        """),
                row -> {
                    tally.ops.put(new EntityKey(row.getString(1), row.getString(2)), op);
                },
                op,
                UniqueNames.UNREACTED + op,
                leap,
                op,
                Columns.ints(changes, each -> each.entity.p()),
                Columns.ints(changes, each -> each.entity.no()),
                Columns.longs(changes, EntityChange::people),
                Columns.longs(changes, EntityChange::lastAt));
        rows.mark(changes.stream().map(EntityChange::entity).toList());
    }
}
