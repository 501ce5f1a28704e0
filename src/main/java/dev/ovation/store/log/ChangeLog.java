package dev.ovation.store.log;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.RelayFunction.LoggedChange;
import dev.ovation.store.shard.Narrowed;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes of table {@code change_log}, in the transaction of the changes and under the locks of
 * their partitions. Partitions that are not logged get no rows.
 */
@Repository
public class ChangeLog {

    private final JdbcTemplate jdbc;
    private volatile boolean open;

    /** Creates a log that is not known to be open. */
    public ChangeLog(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A counter that an exclusive change has changed, by its numbers. */
    public record ChangedCounter(int p, int entity, int reaction) {}

    /** Notes from rows of partitions whether changes are logged. */
    public void note(Collection<PartitionRow> rows) {
        if (!rows.isEmpty()) {
            open = rows.stream().anyMatch(PartitionRow::logged);
        }
    }

    /** Returns whether changes were logged when rows of partitions were last read. */
    public boolean isOpen() {
        return open;
    }

    /**
     * Writes the rows of a relay transaction, after its counters.
     *
     * @param rows in the order of their positions
     */
    public void append(List<LoggedChange> rows, Map<EntityKey, EntityNo> numbers) {
        jdbc.update(
                Narrowed.sql(
                        """
                with k as materialized (
                    select *
                    from   unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
                           as k (p, entity_no, kind, user_id, version, at, back, later, change)
                ), moved as (
                    update partition t
                    set    log_position = t.log_position + n.rows
                    from  (select p, count(*) as rows from k group by p) n
                    where  t.p = n.p /*on t.p*/ and t.logged
                    returning t.p, t.epoch, t.log_position
                )
                insert into change_log (period, p, position, kind, entity_no, user_id, version, epoch,
                                        at, total, change)
                select (select max(period) from change_log_period),
                       t.p, t.log_position - k.back, k.kind, k.entity_no, k.user_id, k.version,
                       t.epoch, k.at,
                       (select coalesce(sum(c.count), 0) from counter c
                        where  c.p = k.p /*on c.p*/ and c.entity_no = k.entity_no) - k.later,
                       k.change::json
                from   k join moved t on t.p = k.p
                """),
                Columns.ints(rows, LoggedChange::p),
                Columns.ints(rows, row -> number(numbers, row.key())),
                Columns.texts(rows, LoggedChange::kind),
                Columns.texts(rows, LoggedChange::user),
                Columns.longs(rows, LoggedChange::version),
                Columns.longs(rows, LoggedChange::at),
                Columns.ints(rows, LoggedChange::back),
                Columns.longs(rows, LoggedChange::later),
                Columns.texts(rows, LoggedChange::change));
    }

    private static int number(Map<EntityKey, EntityNo> numbers, EntityKey key) {
        return Objects.requireNonNull(numbers.get(key), "the entity has no number").no();
    }

    /**
     * Writes a row for each entity of an exclusive change, after its counters and its new state.
     *
     * @param erased whether the change is an erasure
     * @param user the user whose reactions it removed; null for many users
     * @param counters the counters that it changed, all of one partition
     */
    public void appendExclusive(
            boolean erased, @Nullable String user, Collection<ChangedCounter> counters) {
        append(erased ? "erased" : "changed", user, false, counters);
    }

    /** Writes that reactions of a user came back, otherwise as above. */
    public void appendReturned(String user, Collection<ChangedCounter> counters) {
        append("changed", user, true, counters);
    }

    private void append(
            String kind,
            @Nullable String user,
            boolean added,
            Collection<ChangedCounter> counters) {
        if (counters.isEmpty()) {
            return;
        }
        jdbc.update(
                Narrowed.sql(
                        """
                with touched as (
                    select k.p, k.entity_no, x.name, coalesce(c.count, 0) as count
                    from   unnest(?, ?, ?) as k (p, entity_no, reaction)
                    join   reaction_name x on x.no = k.reaction
                    left   join counter c
                           on c.p = k.p /*on c.p*/
                           and c.entity_no = k.entity_no and c.reaction = k.reaction
                ), k as materialized (
                    select p, entity_no, json_object_agg(name, count order by name) as counts,
                           json_agg(name order by name) as names,
                           row_number() over (partition by p order by entity_no desc) - 1 as back
                    from   touched group by p, entity_no
                ), moved as (
                    update partition t
                    set    log_position = t.log_position + n.rows
                    from  (select p, count(*) as rows from k group by p) n
                    where  t.p = n.p /*on t.p*/ and t.logged
                    returning t.p, t.epoch, t.log_position
                )
                insert into change_log (period, p, position, kind, entity_no, user_id, version, epoch,
                                        at, total, change)
                select (select max(period) from change_log_period),
                       t.p, t.log_position - k.back, ?, k.entity_no, ?, e.version, t.epoch,
                       (extract(epoch from clock_timestamp()) * 1000000)::bigint,
                       (select coalesce(sum(c.count), 0) from counter c
                        where  c.p = k.p /*on c.p*/ and c.entity_no = k.entity_no),
                       json_build_object('added', case when ? then k.names else '[]' end,
                                         'counts', k.counts,
                                         'removed', case when ? then k.names else '[]' end)
                from   k
                join   moved t on t.p = k.p
                join   entity e on e.p = k.p /*on e.p*/ and e.no = k.entity_no
                """),
                Columns.ints(counters, ChangedCounter::p),
                Columns.ints(counters, ChangedCounter::entity),
                Columns.ints(counters, ChangedCounter::reaction),
                kind,
                user,
                added,
                user != null && !added);
    }

    /** Writes that a user is erased from all entities, in a locked partition. */
    public void appendErasedUser(int p, String user) {
        jdbc.update(
                """
                with moved as (
                    update partition set log_position = log_position + 1
                    where  p = ? and logged
                    returning p, epoch, log_position
                )
                insert into change_log (period, p, position, kind, entity_no, user_id, version, epoch,
                                        at, total, change)
                select (select max(period) from change_log_period),
                       p, log_position, 'erased', 0, ?, 0, epoch,
                       (extract(epoch from clock_timestamp()) * 1000000)::bigint, 0,
                       '{"added":[],"counts":{},"removed":[]}'
                from   moved
                """,
                p,
                user);
    }

    /**
     * Removes a user from rows of a partition, but for those that announce an erasure.
     *
     * @param from position after which the rows begin
     * @param to position of the last row
     */
    public void redact(int p, String user, long from, long to) {
        jdbc.update(
                """
                update change_log set user_id = null
                where  p = ? and position > ? and position <= ? and user_id = ?
                and    kind <> 'erased'
                """,
                p,
                from,
                to,
                user);
    }
}
