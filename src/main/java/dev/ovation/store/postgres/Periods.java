package dev.ovation.store.postgres;

import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import java.time.Duration;

/**
 * A table in partitions by time: inserts go to the newest period, and a period is dropped as a
 * whole. Table {@code <name>_period} has the periods.
 */
public final class Periods {

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final String table;
    private final Shards shards;

    /** Creates the periods of a table. */
    public Periods(
            JdbcTemplate jdbc, TransactionOperations transactions, Shards shards, String table) {
        this.shards = shards;
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.table = table;
    }

    /**
     * Begins a new period when the newest is older than {@code length}, and drops the periods that
     * ended longer than {@code age} ago. The lock on the table waits for all transactions that
     * inserted rows. Later transactions see the new period, and all rows of earlier periods. The
     * lock is held within one call, so that no round trip prolongs it.
     *
     * @throws org.springframework.dao.DataAccessException when the lock is not available in time
     */
    public void turn(Duration length, Duration age) {
        transactions.executeWithoutResult(
                _ -> {
                    double newest = length.toSeconds();
                    double ended = age.toSeconds();
                    Boolean due =
                            jdbc.queryForObject(
                                    """
                                    select max(began_at) < clock_timestamp() - make_interval(secs => ?)
                                           or count(*) filter (
                                               where began_at < clock_timestamp()
                                                                - make_interval(secs => ?)) > 1
                                    from   %s_period
                                    """
                                            .formatted(table),
                                    Boolean.class,
                                    newest,
                                    ended);
                    if (Boolean.TRUE.equals(due)) {
                        jdbc.execute("set local lock_timeout = '100ms'");
                        shards.setLocal("lock_timeout = '100ms'");
                        shards.commitTogether();
                        jdbc.query("select turn_periods(?, ?, ?)", _ -> {}, table, newest, ended);
                    }
                });
    }
}
