package dev.ovation.store.divided;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.ovation.store.Columns;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.shard.Narrowed;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of user reactions on a divided Postgres, whose statements insert into one table each. The
 * caller holds the lock of the partition, and does everything within its shard.
 */
public final class ReactionRows {

    private final JdbcTemplate jdbc;

    public ReactionRows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A user reaction, by its numbers.
     *
     * @param at microseconds since 1970
     */
    public record ReactionRow(
            EntityNo entity, int reaction, String user, long at, @Nullable String form) {

        /** Returns the same row with another time. */
        public ReactionRow at(long other) {
            return new ReactionRow(entity, reaction, user, other, form);
        }
    }

    private record Person(EntityNo entity, String user) {}

    private record RowCounter(EntityNo entity, int reaction) {}

    /** Reads a row with its partition, entity, reaction, user, time and form. */
    public static ReactionRow row(ResultSet row, int index) throws SQLException {
        return new ReactionRow(
                new EntityNo(row.getInt(1), row.getInt(2)),
                row.getInt(3),
                row.getString(4),
                row.getLong(5),
                row.getString(6));
    }

    /** Remembers that rows were removed at a time, in microseconds since 1970. */
    public void remember(Collection<ReactionRow> removed, long at) {
        remember(removed.stream().map(row -> row.at(at)).toList());
    }

    /** Remembers removals; the time of a row is that of its removal. */
    public void remember(Collection<ReactionRow> removed) {
        jdbc.update(
                """
                insert into removal as r (period, p, entity_no, reaction, user_id, removed_at)
                select (select max(period) from removal_period), k.*
                from   unnest(?, ?, ?, ?, ?) as k (p, entity_no, reaction, user_id, at)
                on conflict (p, user_id, entity_no, reaction, period)
                do update set removed_at = greatest(r.removed_at, excluded.removed_at)
                """,
                columns(removed, 5));
    }

    /** Keeps rows out of sight. */
    public void hide(Collection<ReactionRow> removed) {
        jdbc.update(
                """
                insert into hidden_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                select * from unnest(?, ?, ?, ?, ?, ?)
                on conflict do nothing
                """,
                columns(removed, 6));
    }

    /** Inserts rows that do not exist, and returns them. */
    public List<ReactionRow> insert(Collection<ReactionRow> rows) {
        return jdbc.query(
                """
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                select * from unnest(?, ?, ?, ?, ?, ?)
                on conflict do nothing
                returning p, entity_no, reaction, user_id, reacted_at, form
                """,
                ReactionRows::row,
                columns(rows, 6));
    }

    /** Adds inserted rows to their counters. */
    public void count(Collection<ReactionRow> inserted) {
        var counters = new HashMap<RowCounter, List<ReactionRow>>();
        inserted.forEach(
                row ->
                        counters.computeIfAbsent(
                                        new RowCounter(row.entity, row.reaction),
                                        _ -> new ArrayList<>())
                                .add(row));
        var entries = counters.entrySet();
        jdbc.update(
                """
                insert into counter as c (p, entity_no, reaction, count, first_at, last_at)
                select * from unnest(?, ?, ?, ?, ?, ?)
                on conflict (p, entity_no, reaction) do update
                set    count    = c.count + excluded.count,
                       first_at = least(c.first_at, excluded.first_at),
                       last_at  = greatest(c.last_at, excluded.last_at)
                """,
                Columns.ints(entries, each -> each.getKey().entity.p()),
                Columns.ints(entries, each -> each.getKey().entity.no()),
                Columns.ints(entries, each -> each.getKey().reaction),
                Columns.longs(entries, each -> (long) each.getValue().size()),
                Columns.longs(
                        entries,
                        each ->
                                each.getValue().stream()
                                        .mapToLong(ReactionRow::at)
                                        .min()
                                        .orElse(0)),
                Columns.longs(
                        entries,
                        each ->
                                each.getValue().stream()
                                        .mapToLong(ReactionRow::at)
                                        .max()
                                        .orElse(0)));
    }

    /** Returns by how many people entities have more after these rows were inserted. */
    public Map<EntityNo, Long> come(Collection<ReactionRow> inserted) {
        return people(inserted.stream().collect(groupingBy(ReactionRows::person, counting())));
    }

    /** Returns by how many people entities have fewer after these rows were deleted. */
    public Map<EntityNo, Long> gone(Collection<ReactionRow> deleted) {
        var none = new HashMap<Person, Long>();
        deleted.forEach(row -> none.put(person(row), 0L));
        return people(none);
    }

    private static Person person(ReactionRow row) {
        return new Person(row.entity, row.user);
    }

    /** Counts those users of entities who have exactly that number of rows. */
    private Map<EntityNo, Long> people(Map<Person, Long> rows) {
        var found = new HashMap<EntityNo, Long>();
        jdbc.query(
                Narrowed.sql(
                        """
                        select k.p, k.entity_no, count(*)
                        from   unnest(?, ?, ?, ?) as k (p, entity_no, user_id, rows)
                        where  (select count(*) from user_reaction r
                                where  r.p = k.p /*on r.p*/ and r.user_id = k.user_id
                                and    r.entity_no = k.entity_no) = k.rows
                        group  by k.p, k.entity_no
                        """),
                row -> {
                    found.put(new EntityNo(row.getInt(1), row.getInt(2)), row.getLong(3));
                },
                Columns.ints(rows.keySet(), each -> each.entity.p()),
                Columns.ints(rows.keySet(), each -> each.entity.no()),
                Columns.texts(rows.keySet(), each -> each.user),
                Columns.longs(rows.values(), Long::longValue));
        return found;
    }

    /** Marks entities for the ranking. */
    public void mark(Collection<EntityNo> entities) {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select * from unnest(?, ?)",
                Columns.ints(entities, EntityNo::p),
                Columns.ints(entities, EntityNo::no));
    }

    /** Returns the first columns of rows: partition, entity, reaction, user, time and form. */
    public static Object[] columns(Collection<ReactionRow> rows, int count) {
        Object[] columns = {
            Columns.ints(rows, row -> row.entity.p()),
            Columns.ints(rows, row -> row.entity.no()),
            Columns.ints(rows, ReactionRow::reaction),
            Columns.texts(rows, ReactionRow::user),
            Columns.longs(rows, ReactionRow::at),
            Columns.texts(rows, ReactionRow::form)
        };
        return Arrays.copyOf(columns, count);
    }
}
