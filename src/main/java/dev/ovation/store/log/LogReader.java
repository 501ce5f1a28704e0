package dev.ovation.store.log;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads of table {@code change_log}. The rows of a partition are committed in the order of their
 * positions, which have no gap. So a place that follows the last row of each partition is before
 * all rows that are committed later.
 */
@Repository
public class LogReader {

    private final JdbcTemplate jdbc;
    private final Shards shards;

    LogReader(JdbcTemplate jdbc, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
    }

    /** Changes after a place are not kept any more, or were never logged. */
    public static final class ExpiredException extends Exception {
        public ExpiredException() {
            super("changes after the place are missing");
        }
    }

    /** Returns the place after the last committed row. */
    public LogPositions end() {
        return place(
                """
                select s.generation, t.p, t.log_position
                from   partition t cross join change_log_state s order by t.p
                """,
                "select p, log_position from partition where true /*on p*/");
    }

    /** Returns the place before the first row that is kept. */
    public LogPositions start() {
        return place(
                """
                select s.generation, t.p,
                       coalesce((select min(position) - 1 from change_log where p = t.p),
                                t.log_position)
                from   partition t cross join change_log_state s order by t.p
                """,
                """
                select t.p, coalesce((select min(position) - 1 from change_log where p = t.p /*on p*/),
                                     t.log_position)
                from   partition t where true /*on t.p*/
                """);
    }

    /**
     * @param divided the same without the generation, for the partitions of one shard
     */
    private LogPositions place(String sql, String divided) {
        var generation = new int[1];
        var positions = new TreeMap<Integer, Long>();
        if (shards.areMany()) {
            generation[0] = generation();
            shards.each(
                    () ->
                            jdbc.query(
                                    Narrowed.sql(divided),
                                    row -> {
                                        positions.put(row.getInt(1), row.getLong(2));
                                    }));
        } else {
            jdbc.query(
                    sql,
                    row -> {
                        generation[0] = row.getInt(1);
                        positions.put(row.getInt(2), row.getLong(3));
                    });
        }
        return new LogPositions(
                generation[0], positions.values().stream().mapToLong(Long::longValue).toArray());
    }

    private int generation() {
        Integer generation =
                jdbc.queryForObject("select generation from change_log_state", Integer.class);
        return generation == null ? 0 : generation;
    }

    /**
     * Returns a place before all rows of a time and later, by the clocks of the instances that made
     * them.
     *
     * @param at microseconds since 1970
     */
    public LogPositions at(long at) {
        LogPositions low = start();
        long[] high = end().positions();
        long[] after = low.positions();
        boolean more = true;
        while (more) {
            more = false;
            var middles = new long[after.length];
            for (int p = 0; p < after.length; p++) {
                middles[p] = (after[p] + high[p] + 1) / 2;
                more |= after[p] < high[p];
            }
            if (more) {
                halve(after, high, middles, at);
            }
        }
        return low;
    }

    /** Moves each lower bound to a row before the time, or the upper bound before another row. */
    private void halve(long[] low, long[] high, long[] middles, long at) {
        List<Integer> all = IntStream.range(0, middles.length).boxed().toList();
        shards.each(all, Integer::intValue, some -> halve(some, low, high, middles, at));
    }

    private void halve(
            Collection<Integer> partitions, long[] low, long[] high, long[] middles, long at) {
        jdbc.query(
                Narrowed.sql(
                        """
                        select k.p, coalesce((select l.at < ? from change_log l
                                              where  l.p = k.p /*on l.p*/
                                              and    l.position = k.position), true)
                        from   unnest(?, ?) as k (p, position)
                        """),
                row -> {
                    int p = row.getInt(1);
                    if (low[p] < high[p]) {
                        if (row.getBoolean(2)) {
                            low[p] = middles[p];
                        } else {
                            high[p] = middles[p] - 1;
                        }
                    }
                },
                at,
                Columns.ints(partitions, Integer::intValue),
                Columns.longs(partitions, p -> middles[p]));
    }

    /**
     * Reads rows after a place, and moves the place behind them.
     *
     * @param place is moved; partition by partition
     * @param end the place at which the read ends, of committed rows
     * @param limit greatest number of rows
     * @return rows in an order that keeps the order of each partition; empty at the end
     * @throws ExpiredException when rows are missing
     */
    public List<LogRow> read(LogPositions place, LogPositions end, int limit)
            throws ExpiredException {
        if (place.generation() != end.generation()
                || place.positions().length != end.positions().length) {
            throw new ExpiredException();
        }
        List<Integer> waiting = new ArrayList<>();
        for (int p = 0; p < place.positions().length; p++) {
            if (place.positions()[p] > end.positions()[p]) {
                throw new ExpiredException(); // Postgres was restored
            }
            if (place.positions()[p] < end.positions()[p]) {
                waiting.add(p);
            }
        }
        if (waiting.isEmpty()) {
            return List.of();
        }
        Collections.shuffle(waiting); // none waits behind the others forever
        List<Integer> some = waiting.subList(0, Math.min(limit, waiting.size()));
        List<LogRow> rows = rows(place, end, some, limit / some.size());
        for (LogRow row : rows) {
            if (row.position() != ++place.positions()[row.p()]) {
                throw new ExpiredException();
            }
        }
        if (rows.stream().mapToInt(LogRow::p).distinct().count() < some.size()) {
            throw new ExpiredException();
        }
        return byTime(rows);
    }

    private List<LogRow> rows(LogPositions place, LogPositions end, List<Integer> some, int each) {
        var rows = new ArrayList<LogRow>();
        shards.each(
                some,
                Integer::intValue,
                partitions -> rows.addAll(rowsWithin(place, end, partitions, each)));
        return rows;
    }

    private List<LogRow> rowsWithin(
            LogPositions place, LogPositions end, Collection<Integer> some, int each) {
        return jdbc.query(
                Narrowed.sql(
                        """
                select l.p, l.position, l.kind, e.namespace, e.entity, l.user_id, l.epoch, l.version,
                       l.at, l.total, l.change
                from   unnest(?, ?, ?) as k (p, after, upto)
                cross  join lateral (
                    select * from change_log
                    where  p = k.p /*on p*/ and position > k.after and position <= k.upto
                    order  by position limit ?) l
                left   join entity e on e.p = l.p /*on e.p*/ and e.no = l.entity_no
                order  by l.p, l.position
                """),
                (row, _) ->
                        new LogRow(
                                row.getInt(1),
                                row.getLong(2),
                                row.getString(3),
                                key(row.getString(4), row.getString(5)),
                                row.getString(6),
                                row.getLong(7),
                                row.getLong(8),
                                row.getLong(9),
                                row.getLong(10),
                                row.getString(11)),
                Columns.ints(some, Integer::intValue),
                Columns.longs(some, p -> place.positions()[p]),
                Columns.longs(some, p -> end.positions()[p]),
                each);
    }

    private static @Nullable EntityKey key(@Nullable String namespace, @Nullable String entity) {
        return namespace == null || entity == null ? null : new EntityKey(namespace, entity);
    }

    /** Orders rows by time, but never before an earlier row of their partition. */
    private static List<LogRow> byTime(List<LogRow> rows) {
        record TimedRow(long at, LogRow row) {}
        var timed = new ArrayList<TimedRow>(rows.size());
        long latest = 0;
        int p = -1;
        for (LogRow row : rows) {
            latest = row.p() == p ? Math.max(latest, row.at()) : row.at();
            p = row.p();
            timed.add(new TimedRow(latest, row));
        }
        timed.sort(Comparator.comparingLong(TimedRow::at)); // stable
        return timed.stream().map(TimedRow::row).toList();
    }
}
