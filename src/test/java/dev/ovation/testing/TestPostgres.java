package dev.ovation.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.flywaydb.core.Flyway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** One real Postgres for all tests of this JVM; each caller gets a migrated database of its own. */
public final class TestPostgres {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = startWithTemplate();

    private TestPostgres() {}

    /** Creates a database with all migrations applied. */
    public static DataSource database() {
        return SERVER.getDatabase("postgres", newDatabase());
    }

    /**
     * Creates a database with all migrations applied and returns its JDBC address (user postgres).
     */
    public static String url() {
        return SERVER.getJdbcUrl("postgres", newDatabase());
    }

    private static synchronized String newDatabase() {
        String name = "test" + NUMBER.incrementAndGet();
        execute("create database " + name + " template migrated");
        return name;
    }

    private static EmbeddedPostgres startWithTemplate() {
        try {
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder().setServerConfig("max_connections", "300").start();
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("create database migrated");
            }
            Flyway.configure()
                    .dataSource(server.getDatabase("postgres", "migrated"))
                    .locations("classpath:db/migration")
                    .load()
                    .migrate();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(String sql) {
        try (Connection connection = SERVER.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
