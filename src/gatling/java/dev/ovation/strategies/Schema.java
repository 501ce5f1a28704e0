package dev.ovation.strategies;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;

import javax.sql.DataSource;

/** Tables that hold reactions, and the statements that fill them. */
interface Schema {

    /** The name on the command line. */
    String name();

    /** Creates the tables in an empty database. */
    void create(DataSource database);

    /** Text whose change makes filled tables out of date. */
    default String fingerprint() {
        return filling().toString();
    }

    /** Statements that copy all rows of {@link Population#TABLE}. */
    List<String> filling();

    /**
     * Query of the reactions on an entity, counted from their rows and not from a counter; one row
     * for each reaction: {@code reaction}, {@code count}. For tests and checks.
     */
    String recount();

    /** Runs one statement after the other, each in a transaction of its own. */
    static void run(DataSource database, List<String> statements) {
        var client = JdbcClient.create(database);
        statements.forEach(statement -> client.sql(statement).update());
    }
}
