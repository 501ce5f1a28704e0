package dev.ovation.store;

import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Tables {@code partition} and {@code epoch}: the locks, the watermarks and the fencing numbers.
 */
@Repository
public class PartitionTable {

    private static final String COLUMNS =
            """
            p, epoch, incarnation, applied_seq, applied_op, logged,
            (extract(epoch from clock_timestamp() - taken_at) * 1000)::bigint as age_millis
            """;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    PartitionTable(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /** An epoch that ends ({@code epoch}, at {@code finalSeq}) and its successor. */
    public record Succession(
            int p, long epoch, long finalSeq, long newEpoch, String newIncarnation) {}

    /** A step of the watermark within an epoch; {@code op} is the event at {@code to}. */
    public record Advance(int p, long epoch, long from, long to, String op) {}

    /**
     * Creates the rows of {@code count} partitions if they are missing.
     *
     * @throws InvalidConfigurationPropertyValueException when data is stored under another number
     *     of partitions
     */
    @Transactional
    public void initialise(int count) {
        jdbc.execute("lock table partition in share row exclusive mode");
        long stored = number("select count(*) from partition");
        if (stored == count) {
            return;
        }
        if (stored > 0 && number("select count(*) from (select 1 from entity limit 1) e") > 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "ovation.partitions",
                    count,
                    "The database holds data in %d partitions. Set the value to %d."
                            .formatted(stored, stored));
        }
        long epoch = number("select coalesce(max(epoch), 0) from partition");
        jdbc.update("delete from partition");
        jdbc.update(
                "insert into partition (p, epoch) select p, ? from generate_series(0, ? - 1) p",
                epoch,
                count);
    }

    /** Returns the name that identifies this database. */
    public String deployment() {
        return String.valueOf(jdbc.queryForObject("select id from deployment", String.class));
    }

    /** Returns the rows of all partitions, in order. */
    public List<PartitionRow> all() {
        return jdbc.query(
                "select " + COLUMNS + " from partition order by p", PartitionTable::partitionRow);
    }

    /**
     * Locks the rows of these partitions until the transaction ends, except those that another
     * transaction has locked. All are of one shard, which stays on its node until then.
     */
    public List<PartitionRow> lock(Collection<Integer> partitions) {
        shards.pin(partitions);
        return jdbc.query(
                Narrowed.sql(
                        "select "
                                + COLUMNS
                                + """
                                 from   partition
                                 where  p = any (?) /*on p*/
                                 order  by p
                                 for    update skip locked
                                """),
                PartitionTable::partitionRow,
                (Object) partitions.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Waits until the row of a partition is free. A transaction that its node has prepared, and has
     * yet to commit, holds it, too.
     */
    public void await(int p) {
        jdbc.query(
                Narrowed.sql("select 1 from partition where p = ? /*on p*/ for update"),
                _ -> {},
                p);
    }

    /**
     * Moves watermarks, each from {@code from} only.
     *
     * @throws IllegalStateException when a watermark was elsewhere; the transaction must end
     */
    public void advance(List<Advance> steps) {
        int moved =
                jdbc.update(
                        Narrowed.sql(
                                """
                                update partition t
                                set    applied_seq = s.to_seq,
                                       applied_op  = s.op
                                from   unnest(?, ?, ?, ?, ?) as s (p, epoch, from_seq, to_seq, op)
                                where  t.p = s.p /*on t.p*/
                                and    t.epoch = s.epoch and t.applied_seq = s.from_seq
                                """),
                        Columns.ints(steps, Advance::p),
                        Columns.longs(steps, Advance::epoch),
                        Columns.longs(steps, Advance::from),
                        Columns.longs(steps, Advance::to),
                        Columns.texts(steps, Advance::op));
        if (moved != steps.size()) {
            throw new IllegalStateException("a watermark moved although its row was locked");
        }
    }

    /** Writes a row without a change; fails when Postgres accepts no writes, in no shard. */
    public void probe() {
        if (shards.areMany()) {
            shards.anywhere(partitions -> probe(partitions.getFirst()));
            return;
        }
        jdbc.update(
                """
                update partition set applied_op = applied_op
                where  p = (select p from partition order by random() limit 1 for update skip locked)
                """);
    }

    /** Does the same in a shard; a row that is locked is writable. */
    private void probe(int p) {
        jdbc.update(
                """
                update partition set applied_op = applied_op
                where  p = (select p from partition where p = ? for update skip locked) and p = ?
                """,
                p,
                p);
    }

    /** Closes epochs and opens their successors; the rows must be locked. */
    public void succeed(List<Succession> successions) {
        Object p = Columns.ints(successions, Succession::p);
        jdbc.update(
                """
                insert into epoch (p, epoch, final_seq)
                select p, epoch, final_seq
                from   unnest(?, ?, ?) as s (p, epoch, final_seq)
                where  epoch > 0
                """,
                p,
                Columns.longs(successions, Succession::epoch),
                Columns.longs(successions, Succession::finalSeq));
        jdbc.update(
                Narrowed.sql(
                        """
                        update partition t
                        set    epoch       = s.epoch,
                               incarnation = s.incarnation,
                               taken_at    = statement_timestamp(),
                               applied_seq = 0,
                               applied_op  = ''
                        from   unnest(?, ?, ?) as s (p, epoch, incarnation)
                        where  t.p = s.p /*on t.p*/
                        """),
                p,
                Columns.longs(successions, Succession::newEpoch),
                Columns.texts(successions, Succession::newIncarnation));
    }

    /** Returns the last event of a closed epoch; empty when the epoch is not closed. */
    public OptionalLong finalSeq(int p, long epoch) {
        var found =
                jdbc.queryForList(
                        "select final_seq from epoch where p = ? and epoch = ?",
                        Long.class,
                        p,
                        epoch);
        return found.isEmpty() ? OptionalLong.empty() : OptionalLong.of(found.getFirst());
    }

    private long number(String sql) {
        Long result = jdbc.queryForObject(sql, Long.class);
        return result == null ? 0 : result;
    }

    private static PartitionRow partitionRow(ResultSet row, int index) throws SQLException {
        return new PartitionRow(
                row.getInt("p"),
                row.getLong("epoch"),
                row.getString("incarnation"),
                row.getLong("age_millis"),
                row.getLong("applied_seq"),
                row.getString("applied_op"),
                row.getBoolean("logged"));
    }
}
