package dev.ovation.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

/** A way to run Postgres; its user is postgres. */
interface PostgresServer {

    /** A busy machine may take longer than the default of ten seconds. */
    Duration STARTUP = Duration.ofMinutes(5);

    /**
     * Interval of autovacuum: it visits each database once in it, and a run has hundreds, most of
     * which live for seconds.
     */
    String NAP = "15min";

    /** The JDBC address of a database. */
    String url(String database);

    default DataSource database(String name) {
        var source = new PGSimpleDataSource();
        source.setUrl(url(name));
        source.setUser("postgres");
        source.setPassword("postgres");
        return source;
    }

    /** Starts a server that accepts the connections of many instances. */
    static PostgresServer start() {
        if (Citus.IS_GIVEN) {
            return new CitusCluster();
        }
        return Containers.CHOSEN ? new Contained() : new Local();
    }

    /**
     * Creates a database.
     *
     * @param template one that nothing is connected to
     * @throws SQLException when the template is in use, among others
     */
    default void create(String name, String template) throws SQLException {
        try (Connection connection = database("postgres").getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create database " + name + " template " + template);
        }
    }

    /** Postgres from the embedded binaries. */
    final class Local implements PostgresServer {

        private final EmbeddedPostgres server;

        Local() {
            try {
                server =
                        EmbeddedPostgres.builder()
                                .setPort(Ports.free())
                                .setPGStartupWait(STARTUP)
                                .setServerConfig("max_connections", "500")
                                .setServerConfig("autovacuum_naptime", NAP)
                                .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String url(String database) {
            return server.getJdbcUrl("postgres", database);
        }
    }

    /** Postgres in a container. */
    final class Contained implements PostgresServer {

        private final PostgreSQLContainer container =
                Containers.postgres(
                        "postgres", "-c", "max_connections=500", "-c", "autovacuum_naptime=" + NAP);

        @Override
        public String url(String database) {
            return "jdbc:postgresql://%s:%d/%s"
                    .formatted(container.getHost(), container.getFirstMappedPort(), database);
        }
    }
}
