package dev.ovation.store.log;

import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.time.Duration;

/**
 * Table {@code change_log_state}: whether changes are logged. A partition begins or ends to log
 * under its lock, so each commit after the opening is logged. The relay never waits for these
 * locks, so waiting for the relay's cannot end in a deadlock.
 */
@Repository
public class LogState {

    /** Returns whether a new period must begin, or an old one be dropped. */
    private static final String IS_DUE =
            """
            select max(began_at) < clock_timestamp() - make_interval(secs => ?)
                   or count(*) filter (where began_at < clock_timestamp()
                                                        - make_interval(secs => ?)) > 1
            from   change_log_period
            """;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    LogState(JdbcTemplate jdbc, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
    }

    /**
     * Notes a read, at most once a minute.
     *
     * @return false when the log is closed: then changes are not logged
     */
    public boolean touch() {
        jdbc.update(
                """
                update change_log_state set read_at = clock_timestamp()
                where  open and read_at < clock_timestamp() - interval '1 minute'
                """);
        return Boolean.TRUE.equals(
                jdbc.queryForObject("select open from change_log_state", Boolean.class));
    }

    /**
     * Opens the log if it is closed, with a new generation.
     *
     * @throws org.springframework.dao.DataAccessException when a partition stays locked for more
     *     than a second; the log is as it was
     */
    @Transactional
    public void open() {
        jdbc.execute("set local lock_timeout = '1s'");
        shards.setLocal("lock_timeout = '1s'");
        jdbc.query("select from change_log_state for update", _ -> {});
        jdbc.update(
                """
                update change_log_state
                set    generation = generation + case when open then 0 else 1 end,
                       open = true, read_at = clock_timestamp()
                """);
        jdbc.update("update partition set logged = true where not logged");
    }

    /**
     * Closes the log and deletes its rows when there are no webhooks and it was last read longer
     * ago than the retention.
     *
     * @return whether it was closed now
     */
    @Transactional
    public boolean closeIfUnread(Duration retention) {
        jdbc.execute("set local lock_timeout = '1s'");
        shards.setLocal("lock_timeout = '1s'");
        int closed =
                jdbc.update(
                        """
                        update change_log_state set open = false
                        where  open and read_at < clock_timestamp() - make_interval(secs => ?)
                        and    not exists (select from webhook)
                        """,
                        seconds(retention));
        if (closed > 0) {
            jdbc.update("update partition set logged = false where logged");
            jdbc.execute("truncate change_log");
        }
        return closed > 0;
    }

    /**
     * Begins a new period when the newest is older than {@code length}, and drops the periods that
     * ended longer than {@code age} ago. The lock on the table is held within one call.
     *
     * @throws org.springframework.dao.DataAccessException when the lock is not available in time
     */
    @Transactional
    public void turn(Duration length, Duration age) {
        if (Boolean.FALSE.equals(
                jdbc.queryForObject(IS_DUE, Boolean.class, seconds(length), seconds(age)))) {
            return;
        }
        jdbc.execute("set local lock_timeout = '100ms'");
        shards.setLocal("lock_timeout = '100ms'");
        shards.commitTogether();
        jdbc.query("select turn_change_log(?, ?)", _ -> {}, seconds(length), seconds(age));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
