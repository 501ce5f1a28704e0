package dev.ovation.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

/**
 * A database in which one entity has many more reactors than the statistics of the planner show.
 * They have a long tail of entities and users with one row each, and this entity seems to be one of
 * them.
 */
public final class Crowded implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

    public static final int PARTITIONS = 64;
    public static final int CROWD = 20_000;
    public static final int FRIENDS = 3_000;
    public static final int IMPORTED = 100;

    /** Users of {@code sets}, each with several reactions of one step. */
    public static final int SETS = 200;

    public static final int KINDS_OF_A_SET = 18;

    /** Users of {@code instant}, with reactions of the same time. */
    public static final int AT_ONCE = 3_000;

    /**
     * Reactors of {@code kinds}, in the order of users, as an import may bring them; each has
     * three.
     */
    public static final int KINDS = 3_000;

    /** Reactors of {@code emoji}, each with one reaction; each kind is frequent. */
    public static final int EMOJI = 80;

    /**
     * Reactor with this many reactions in each of three namespaces, many of them of one instant.
     */
    public static final String COLLECTOR = "collector";

    public static final int COLLECTED = 2_000;

    private static String template;

    private SingleConnectionDataSource source;
    private JdbcTemplate jdbc;

    /** The only connection. */
    public JdbcTemplate jdbc() {
        return jdbc;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        connect(TestPostgres.copyOf(template()));
        jdbc.execute("set stats_fetch_consistency = none");
    }

    /** The database that each class copies; filling it takes seconds. */
    private static synchronized String template() {
        if (template == null) {
            String created = TestPostgres.newDatabase();
            var filler = new Crowded();
            filler.connect(TestPostgres.database(created));
            filler.fill();
            filler.source.destroy();
            template = created;
        }
        return template;
    }

    private void connect(DataSource database) {
        try {
            source = new SingleConnectionDataSource(database.getConnection(), true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        jdbc = new JdbcTemplate(source);
    }

    private void fill() {
        disableAutovacuum();
        jdbc.update(
                "insert into partition (p) select p from generate_series(0, ? - 1) p", PARTITIONS);
        jdbc.execute(
                """
                insert into named_reaction
                select 'posts', 'tail' || n, 'u' || n, '👍', n from generate_series(1, 20000) n;
                insert into friendship
                select 'u' || n, 'u' || (n + 1) from generate_series(1, 5000) n;
                """);
        jdbc.execute("vacuum (analyze) user_reaction, entity, reaction_name, friendship");
        jdbc.update(
                """
                insert into named_reaction
                select 'posts', 'crowd', 'user' || (r * 7919 % 20011), ('{a,b,c}'::text[])[1 + r % 3],
                       1000 + r
                from   generate_series(1, ?) r
                """,
                CROWD);
        jdbc.execute(
                """
                insert into named_reaction
                select namespace, entity, user_id, 'd', reacted_at - 500
                from   named_reaction where entity = 'crowd' and reacted_at % 10 = 0;
                insert into named_reaction
                select 'posts', 'imported', 'user' || n, k, 7
                from   generate_series(1, 100) n, unnest('{a,b}'::text[]) k;
                insert into named_reaction
                select 'posts', 'sets', 'user' || n, 'k' || k, 1000 + n
                from   generate_series(1, 200) n, generate_series(10, 27) k;
                insert into named_reaction
                select 'posts', 'instant', 'user' || n, 'a', 7 from generate_series(1, 3000) n;
                insert into named_reaction
                select 'posts', 'kinds', 'user' || n / 3, 'k' || n, 1000 + n * 7919 % 3001
                from   generate_series(0, 2999) n;
                insert into named_reaction
                select 'posts', 'kinds', 'user' || 2000 + n, 'k7', 1000 + n
                from   generate_series(1, 3000) n;
                insert into named_reaction
                select 'posts', 'emoji', 'user' || n, 'k' || n % 80, 1000 + n * 7919 % 30011
                from   generate_series(1, 24000) n;
                insert into named_reaction
                select ns, 'e' || n / 2, 'collector', ('{a,b}'::text[])[1 + n % 2], n / 40
                from   unnest('{posts,letters,ratings}'::text[]) ns, generate_series(1, 2000) n;
                insert into named_counter
                select namespace, entity, reaction, count(*), min(reacted_at), max(reacted_at)
                from   named_reaction
                group  by 1, 2, 3;
                """);
        jdbc.update(
                """
                insert into friendship
                select 'often', 'user' || n * 6 from generate_series(1, ?) n
                union all
                select 'rare', 'nobody' || n from generate_series(1, ?) n
                union all
                select 'few', 'user' || n * 700 from generate_series(1, 20) n
                """,
                FRIENDS,
                FRIENDS);
        jdbc.execute("vacuum user_reaction"); // marks pages as all-visible, counts nothing
    }

    /** Keeps the statistics of the planner as this class collects them. */
    private void disableAutovacuum() {
        for (String table :
                jdbc.queryForList(
                        "select oid::regclass::text from pg_class"
                                + " where relkind = 'r' and relnamespace = 'public'::regnamespace",
                        String.class)) {
            jdbc.execute("alter table " + table + " set (autovacuum_enabled = false)");
        }
    }

    /** Resets the choice of plans to that of Postgres. */
    @Override
    public void beforeEach(ExtensionContext context) {
        plans("auto");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        source.destroy();
    }

    /** Runs an action in a transaction. */
    public <T> T transaction(Supplier<T> work) {
        return new TransactionTemplate(new JdbcTransactionManager(source)).execute(_ -> work.get());
    }

    /** Sets {@code plan_cache_mode}. */
    public void plans(String mode) {
        jdbc.execute("set plan_cache_mode = " + mode);
    }

    /** Number of index entries and table rows that Postgres reads for a query. */
    public long work(Runnable question) {
        long before = read();
        question.run();
        return read() - before;
    }

    private long read() {
        jdbc.execute("select pg_stat_force_next_flush()");
        Long read =
                jdbc.queryForObject(
                        """
                        select (select sum(idx_tup_read) from pg_stat_user_indexes)
                             + (select sum(seq_tup_read) from pg_stat_user_tables)
                        """,
                        Long.class);
        return read == null ? 0 : read;
    }
}
