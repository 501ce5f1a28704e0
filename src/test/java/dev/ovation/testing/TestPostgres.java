package dev.ovation.testing;

import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** One real Postgres for all tests of this JVM; each caller gets a migrated database of its own. */
public final class TestPostgres {

    /** SQLSTATE of a template that a session uses. */
    private static final String OBJECT_IN_USE = "55006";

    /** Other migrations, for a trial of a broken rule. */
    private static final String MIGRATIONS =
            System.getProperty("migrations", "classpath:db/migration");

    /** A database with all migrations. */
    static final String TEMPLATE = "migrated";

    /** Other runs may use the same servers. */
    private static final String PREFIX = "test" + ProcessHandle.current().pid() + "_";

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final PostgresServer SERVER = startWithTemplate();

    private TestPostgres() {}

    /** Creates a database with all migrations applied. */
    public static DataSource database() {
        return new ReusedConnections(SERVER.database(newDatabase()));
    }

    /**
     * Creates a database with all migrations applied and returns its JDBC address (user postgres).
     */
    public static String url() {
        return SERVER.url(newDatabase());
    }

    /** Creates a database without any tables and returns its JDBC address (user postgres). */
    public static String emptyUrl() {
        return SERVER.url(newDatabase("template1"));
    }

    /** Result of a statement as text: a line for each row, columns separated by a space. */
    public static List<String> rows(JdbcTemplate jdbc, String sql) {
        return jdbc.query(
                sql,
                (row, _) -> {
                    var text = new StringBuilder();
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        text.append(i == 1 ? "" : " ").append(row.getString(i));
                    }
                    return text.toString();
                });
    }

    /** Creates a copy of a database that nothing is connected to. */
    static DataSource copyOf(String template) {
        return SERVER.database(newDatabase(template));
    }

    static DataSource database(String name) {
        return SERVER.database(name);
    }

    static String newDatabase() {
        return newDatabase(TEMPLATE);
    }

    private static synchronized String newDatabase(String template) {
        String name = PREFIX + NUMBER.incrementAndGet();
        Wait.until(
                "no other session uses the template", // autovacuum, or one that is about to end
                () -> isCreated(name, template));
        return name;
    }

    private static boolean isCreated(String name, String template) throws SQLException {
        try {
            SERVER.create(name, template);
            return true;
        } catch (SQLException e) {
            if (OBJECT_IN_USE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private static PostgresServer startWithTemplate() {
        PostgresServer server = PostgresServer.start();
        if (!Citus.IS_GIVEN) {
            execute(server, "create database " + TEMPLATE);
            migrate(server.database(TEMPLATE));
        }
        return server;
    }

    /** Migrates an empty database, and lets tests write by names. */
    static void migrate(DataSource database) {
        Flyway.configure()
                .dataSource(database)
                .locations(MIGRATIONS)
                .initSql("set ovation.citus = " + Citus.IS_GIVEN)
                .load()
                .migrate();
        NamedTables.install(new JdbcTemplate(database));
    }

    private static void execute(PostgresServer server, String sql) {
        try (Connection connection = server.database("postgres").getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
