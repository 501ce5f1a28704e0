package dev.ovation.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.postgres.Periods;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Citus;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;

/** Periods of the tables that a Citus divides: they begin and end on all nodes. */
@EnabledIf("isOnCitus")
class DividedPeriodsTest {

    private static final int PARTITIONS = 16;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration DAY = Duration.ofDays(1);

    private final SingleConnectionDataSource session =
            new SingleConnectionDataSource(TestPostgres.url(), "postgres", "postgres", true);
    private final JdbcTemplate jdbc = new JdbcTemplate(session);
    private final Shards shards = new Shards(jdbc);
    private final TransactionTemplate transactions =
            new TransactionTemplate(new JdbcTransactionManager(session));

    static boolean isOnCitus() {
        return Citus.IS_GIVEN;
    }

    DividedPeriodsTest() {
        shards.read(PARTITIONS);
        assertThat(shards.areMany()).isTrue();
    }

    @AfterEach
    void close() {
        session.destroy();
    }

    /**
     * Each partition gets a row of each period.
     *
     * @param columns those of the table besides {@code p}, {@code period} and {@code user_id}
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    removal     | entity_no, reaction, removed_at               | 1, 1, 1
                    idempotency | namespace, key, request_hash, op_id, answer   | '', '', '', '', '{}'
                    change_log  | position, kind, entity_no, version, epoch, at, total, change \
                    | (select max(period) from change_log_period), 'erased', 0, 0, 1, 1, 0, '{}'
                    """,
            quoteCharacter = '"')
    void rowsAreKeptForTheirRetention(String table, String columns, String values) {
        insert(table, columns, values, "old");
        ageBy(DAY.multipliedBy(2), table);
        turn(table);
        insert(table, columns, values, "new");
        assertThat(rows(table))
                .containsExactly("new " + PARTITIONS + " 2", "old " + PARTITIONS + " 1");

        ageBy(DAY.multipliedBy(6), table);
        turn(table);
        assertThat(rows(table)).hasSize(2);

        ageBy(DAY.multipliedBy(2), table);
        turn(table);
        assertThat(rows(table)).containsExactly("new " + PARTITIONS + " 2");
    }

    private void insert(String table, String columns, String values, String user) {
        jdbc.update(
                """
                insert into %1$s (p, period, user_id, %2$s)
                select p, (select max(period) from %1$s_period), '%4$s', %3$s
                from   generate_series(0, %5$d) p
                """
                        .formatted(table, columns, values, user, PARTITIONS - 1));
    }

    private List<String> rows(String table) {
        return TestPostgres.rows(
                jdbc,
                "select user_id, count(distinct p), period from %s group by 1, 3 order by 1"
                        .formatted(table));
    }

    /** Citus refuses an update that computes with the time of a row. */
    private void ageBy(Duration time, String table) {
        jdbc.query(
                "select period, began_at from %s_period".formatted(table),
                row -> {
                    jdbc.update(
                            "update %s_period set began_at = ? where period = ?".formatted(table),
                            Timestamp.from(row.getTimestamp(2).toInstant().minus(time)),
                            row.getInt(1));
                });
    }

    private void turn(String table) {
        if (table.equals("change_log")) {
            var log = new LogState(jdbc, shards);
            transactions.executeWithoutResult(_ -> log.turn(DAY, WEEK));
        } else {
            new Periods(jdbc, transactions, shards, table).turn(DAY, WEEK);
        }
    }
}
