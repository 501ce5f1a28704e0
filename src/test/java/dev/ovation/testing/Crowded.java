package dev.ovation.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.SQLException;

/**
 * A database in which one entity has many more reactors than its planner was told of: it knows a
 * long tail of entities and users with one row each, and thinks this entity one of them.
 */
public final class Crowded implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

    public static final int CROWD = 20_000;
    public static final int FRIENDS = 3_000;
    public static final int IMPORTED = 100;

    /** Users of {@code sets}, each of whom got so many reactions in one step. */
    public static final int SETS = 200;

    public static final int KINDS_OF_A_SET = 18;

    /** Users of {@code instant}, all of whom reacted at the same time. */
    public static final int AT_ONCE = 3_000;

    /** Of {@code kinds}, as an import may bring them; user by user, each has three. */
    public static final int KINDS = 3_000;

    /** Of {@code emoji}, where nobody reacted twice and each kind is often given. */
    public static final int EMOJI = 80;

    /** Has so many reactions in each of three namespaces, many of them of one instant. */
    public static final String COLLECTOR = "collector";

    public static final int COLLECTED = 7_000;

    private SingleConnectionDataSource source;
    private JdbcTemplate jdbc;

    /** Its only connection. */
    public JdbcTemplate jdbc() {
        return jdbc;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException {
        source = new SingleConnectionDataSource(TestPostgres.database().getConnection(), true);
        jdbc = new JdbcTemplate(source);
        jdbc.execute(
                """
                alter table user_reaction set (autovacuum_enabled = false);
                alter table friendship set (autovacuum_enabled = false);
                alter table counter set (autovacuum_enabled = false);
                insert into user_reaction
                select 'posts', 'tail' || n, 'u' || n, '👍', n from generate_series(1, 20000) n;
                insert into friendship
                select 'u' || n, 'u' || (n + 1) from generate_series(1, 5000) n;
                """);
        jdbc.execute("vacuum (analyze) user_reaction, friendship");
        jdbc.update(
                """
                insert into user_reaction
                select 'posts', 'crowd', 'user' || (r * 7919 % 20011), ('{a,b,c}'::text[])[1 + r % 3],
                       1000 + r
                from   generate_series(1, ?) r
                """,
                CROWD);
        jdbc.execute(
                """
                insert into user_reaction
                select namespace, entity, user_id, 'd', reacted_at - 500
                from   user_reaction where entity = 'crowd' and reacted_at % 10 = 0;
                insert into user_reaction
                select 'posts', 'imported', 'user' || n, k, 7
                from   generate_series(1, 100) n, unnest('{a,b}'::text[]) k;
                insert into user_reaction
                select 'posts', 'sets', 'user' || n, 'k' || k, 1000 + n
                from   generate_series(1, 200) n, generate_series(10, 27) k;
                insert into user_reaction
                select 'posts', 'instant', 'user' || n, 'a', 7 from generate_series(1, 3000) n;
                insert into user_reaction
                select 'posts', 'kinds', 'user' || n / 3, 'k' || n, 1000 + n * 7919 % 3001
                from   generate_series(0, 2999) n;
                insert into user_reaction
                select 'posts', 'kinds', 'user' || 2000 + n, 'k7', 1000 + n
                from   generate_series(1, 3000) n;
                insert into user_reaction
                select 'posts', 'emoji', 'user' || n, 'k' || n % 80, 1000 + n * 7919 % 30011
                from   generate_series(1, 24000) n;
                insert into user_reaction
                select ns, 'e' || n / 2, 'collector', ('{a,b}'::text[])[1 + n % 2], n / 40
                from   unnest('{posts,letters,ratings}'::text[]) ns, generate_series(1, 7000) n;
                insert into counter
                select namespace, entity, reaction, count(*), min(reacted_at), max(reacted_at)
                from   user_reaction
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
        jdbc.execute("vacuum user_reaction"); // marks pages as visible to all, counts nothing
        jdbc.execute("set stats_fetch_consistency = none");
    }

    /** Each test begins with plans as Postgres chooses them. */
    @Override
    public void beforeEach(ExtensionContext context) {
        plans("auto");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        source.destroy();
    }

    /** From now on plans are chosen so: {@code plan_cache_mode}. */
    public void plans(String mode) {
        jdbc.execute("set plan_cache_mode = " + mode);
    }

    /** How many entries of indexes and rows of tables this costs Postgres. */
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
