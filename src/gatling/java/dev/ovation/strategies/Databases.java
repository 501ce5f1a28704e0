package dev.ovation.strategies;

import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

/** Databases of a server, each a fresh copy of a template that was filled once. */
final class Databases {

    private static final Logger LOG = LoggerFactory.getLogger(Databases.class);

    /** SQLSTATE of a database that a session uses. */
    private static final String OBJECT_IN_USE = "55006";

    private static final int ATTEMPTS = 12;

    private final String url;
    private final String password;

    /** Databases of the server with this database; the password is that of its user postgres. */
    Databases(String url, String password) {
        this.url = url;
        this.password = password;
    }

    /**
     * Returns the JDBC address of a database with these tables and rows. Deletes the copy of an
     * earlier call for the same schema.
     */
    String copy(Schema schema, Population population) {
        String template = template(schema, population);
        String copy = "run_" + identifier(schema);
        // By files: a copy through the log would leave data to flush during the run.
        execute(
                "drop database if exists " + copy + " with (force)",
                "create database " + copy + " template " + template + " strategy file_copy");
        return url(copy);
    }

    private String template(Schema schema, Population population) {
        int version = (schema.fingerprint() + population).hashCode();
        String template = "template_" + identifier(schema) + "_" + Integer.toHexString(version);
        if (exists(template)) {
            return template;
        }
        // Renamed when complete: an interrupted one is created again.
        String unfinished = "unfinished_" + identifier(schema);
        LOG.info("Filling {} with {} rows", schema.name(), population.rows());
        execute("drop database if exists " + unfinished, "create database " + unfinished);
        population.fill(source(url(unfinished)), schema);
        execute("alter database " + unfinished + " rename to " + template, "checkpoint");
        return template;
    }

    private boolean exists(String database) {
        return JdbcClient.create(source(url))
                .sql("select exists (select from pg_database where datname = ?)")
                .param(database)
                .query(Boolean.class)
                .single();
    }

    /**
     * Runs one statement after the other. On a busy machine the last session of a database ends
     * later than the five seconds for which Postgres waits, and the statement is repeated.
     */
    private void execute(String... statements) {
        for (String statement : statements) {
            int attempt = 1;
            while (!isExecuted(statement, attempt == ATTEMPTS)) {
                attempt++;
            }
        }
    }

    private boolean isExecuted(String statement, boolean isLast) {
        try {
            Schema.run(source(url), List.of(statement));
            return true;
        } catch (DataAccessException e) {
            if (!isLast
                    && e.getMostSpecificCause() instanceof SQLException cause
                    && OBJECT_IN_USE.equals(cause.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private String url(String database) {
        return url.replaceFirst("/[^/?]+(\\?|$)", "/" + database + "$1");
    }

    private DataSource source(String url) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser("postgres");
        source.setPassword(password);
        return source;
    }

    private static String identifier(Schema schema) {
        return schema.name().replace('-', '_');
    }
}
