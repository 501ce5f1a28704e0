package dev.ovation.ranking;

import dev.ovation.ranking.Ranking.Ranked;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.ReusedConnections;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;

import javax.sql.DataSource;

/** A ranking of counters that a test changes. */
abstract class RankingFixture {

    static final int BATCH = 500;

    final JdbcTemplate jdbc;
    final TransactionTemplate transactions;
    final Ranking ranking;

    /**
     * Creates a ranking.
     *
     * @param source a database of the test's own, see {@link #impatient}
     */
    RankingFixture(DataSource source, int depth, int step) {
        jdbc = new JdbcTemplate(source);
        transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        ranking =
                new Ranking(
                        jdbc, new RankingDepth(jdbc, Shards.undivided(), depth, step), shards());
    }

    /** Returns the shards of the tests. */
    Shards shards() {
        return Shards.undivided();
    }

    @BeforeEach
    void empty() {
        jdbc.execute("truncate entity, counter, changed_entity, ranking_waiting");
        jdbc.execute("truncate ranking, ranking_list, ranking_refill");
        jdbc.execute("update ranking_state set waiting_p = 0, waiting_no = 0");
        isDue();
    }

    /**
     * A data source with a lock time-out, so that no test blocks on a lock. The bound allows for an
     * autovacuum, which releases a table when a session has waited for a second, and on a busy
     * machine seconds later.
     */
    static DataSource impatient() {
        var source = new PGSimpleDataSource();
        source.setUrl(TestPostgres.url());
        source.setUser("postgres");
        source.setPassword("postgres");
        source.setOptions("-c lock_timeout=60s");
        return new ReusedConnections(source);
    }

    /** Counts and state of an entity as after a commit. */
    void changed(String entity, int a, int b) {
        jdbc.update("delete from named_counter where entity = ?", entity);
        jdbc.update(
                """
                insert into named_counter
                select 'posts', ?, reaction, count, 1, 1
                from   (values ('a', ?::bigint), ('b', ?)) c (reaction, count) where count > 0
                """,
                entity,
                a,
                b);
        jdbc.update(
                """
                insert into named_entity values ('posts', ?, 1, 'op', 1)
                """,
                entity);
    }

    boolean follow() {
        return Boolean.TRUE.equals(transactions.execute(_ -> ranking.follow(BATCH)));
    }

    void isDue() {
        jdbc.update("update ranking_state set as_of = 'epoch'");
    }

    List<Ranked> top(String reaction) {
        return ranking.top("posts", reaction, Ranked.NONE, 50).entities();
    }
}
