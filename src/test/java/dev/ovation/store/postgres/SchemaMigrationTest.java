package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** A migration that does not get its lock is repeated; without Flyway the start waits for it. */
@Beside
class SchemaMigrationTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource(TestPostgres.emptyUrl(), "postgres", "postgres");

    @TempDir Path migrations;

    @Test
    void aMigrationWaitsForALockInTurnsAndSucceeds() throws Exception {
        migrate(flyway("V1__a.sql", "create table a (x int)"));
        var flyway = flyway("V2__b.sql", "alter table a add column y int");
        CompletableFuture<Void> migration;
        try (var reader = database.getConnection();
                var statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("select from a");
            migration =
                    CompletableFuture.runAsync(() -> migrate(flyway), Thread::startVirtualThread);
            awaitGivenUp();
            assertThat(migration).isNotDone();
            reader.rollback();
        }
        migration.join();

        assertThat(new JdbcTemplate(database).queryForList("select y from a")).isEmpty();
    }

    /** A session that ended without its lock has another one after it, with another process. */
    private void awaitGivenUp() {
        String waiting =
                """
                select pid from pg_stat_activity
                where  datname = current_database() and wait_event_type = 'Lock'
                """;
        var jdbc = new JdbcTemplate(database);
        var first =
                Wait.until(
                        "the migration waits",
                        () -> jdbc.queryForList(waiting, Integer.class),
                        pids -> !pids.isEmpty());
        Wait.until(
                "its next try waits",
                () -> jdbc.queryForList(waiting, Integer.class),
                pids -> !pids.isEmpty() && !pids.equals(first));
    }

    @Test
    void withoutFlywayTheStartWaitsForTheSchema() {
        var looks = new AtomicInteger();
        var counted =
                new DelegatingDataSource(database) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        looks.incrementAndGet();
                        return super.getConnection();
                    }
                };
        var start =
                CompletableFuture.runAsync(
                        () -> new SchemaMigration(counted, null).start(),
                        Thread::startVirtualThread);
        Wait.until("it looks again and again", () -> looks.get() > 2);
        assertThat(start).isNotDone();

        migrate(Flyway.configure().dataSource(database).locations("classpath:db/migration").load());
        start.join();
    }

    @Test
    void anOlderSchemaIsNotEnoughANewerOneIs() throws Exception {
        migrate(flyway("V1__a.sql", "create table a (x int)"));
        try (var connection = database.getConnection()) {
            assertThat(SchemaVersion.isMissing(connection, "2"))
                    .isEqualTo(
                            "the schema has version 1, this program needs 2; run the command migrate");
            assertThat(SchemaVersion.isMissing(connection, "1")).isNull();
        }
        migrate(flyway("V10__b.sql", "create table b (x int)"));
        try (var connection = database.getConnection()) {
            assertThat(SchemaVersion.isMissing(connection, "2")).isNull();
        }
    }

    /** A pooler names a process of its own. */
    @Test
    void aMigrationThroughAPoolerIsRefusedBeforeItChangesSomething() throws Exception {
        var flyway = flyway(pooled(), "V1__a.sql", "create table a (x int)");
        var migration = new SchemaMigration(database, flyway);

        assertThatThrownBy(migration::start).hasMessageContaining("SPRING_FLYWAY_URL");

        assertThat(
                        new JdbcTemplate(database)
                                .queryForList("select from pg_class where relname = 'a'"))
                .isEmpty();
    }

    @Test
    void aStartWithoutAMigrationIsNotRefusedThroughAPooler() throws Exception {
        String sql = "create table a (x int)";
        migrate(flyway("V1__a.sql", sql));
        migrate(flyway(pooled(), "V1__a.sql", sql));

        assertThat(new JdbcTemplate(database).queryForList("select x from a")).isEmpty();
    }

    @Test
    void aChangedMigrationIsNoticedThroughAPooler() throws Exception {
        migrate(flyway("V1__a.sql", "create table a (x int)"));
        var migration =
                new SchemaMigration(
                        database, flyway(pooled(), "V1__a.sql", "create table a (x bigint)"));

        assertThatThrownBy(migration::start).hasMessageContaining("checksum mismatch");
    }

    @Test
    void aStartThroughAPoolerSetsNothingInItsSession() throws Exception {
        String sql = "create table a (x int)";
        migrate(flyway("V1__a.sql", sql));
        var settings = flyway(pooled(), "V1__a.sql", sql).getConfiguration();
        migrate(
                Flyway.configure()
                        .configuration(settings)
                        .initSql("create table initial (x int)")
                        .load());

        assertThat(
                        new JdbcTemplate(database)
                                .queryForList("select from pg_class where relname = 'initial'"))
                .isEmpty();
    }

    private DataSource pooled() {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection direct = super.getConnection();
                var named = new ConnectionWithProcess(direct.unwrap(PgConnection.class));
                return (Connection)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Connection.class, PGConnection.class},
                                named);
            }
        };
    }

    private record ConnectionWithProcess(PgConnection direct) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "getBackendPID" -> direct.getBackendPID() + 1;
                case "isWrapperFor" -> true;
                case "unwrap" -> proxy;
                default -> method.invoke(direct, arguments);
            };
        }
    }

    private void migrate(Flyway flyway) {
        new SchemaMigration(database, flyway).start();
    }

    /** With a short lock time-out; the service has 2 s. */
    private Flyway flyway(String file, String sql) throws IOException {
        return flyway(database, file, sql);
    }

    private Flyway flyway(DataSource role, String file, String sql) throws IOException {
        Files.writeString(migrations.resolve(file), sql);
        return Flyway.configure()
                .dataSource(role)
                .locations("filesystem:" + migrations)
                .initSql("set lock_timeout = '100ms'")
                .load();
    }
}
