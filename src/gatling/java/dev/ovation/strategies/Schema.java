package dev.ovation.strategies;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;

import javax.sql.DataSource;

/** Tables that hold reactions, and how they are filled. */
interface Schema {

    /** As users write it. */
    String name();

    /** Makes the tables in an empty database. */
    void create(DataSource database);

    /** Whatever a change of which makes filled tables out of date. */
    default String fingerprint() {
        return filling().toString();
    }

    /** Statements that take over all rows of {@link Population#TABLE}. */
    List<String> filling();

    /**
     * What users have on an entity, counted from the rows that say so and not from a counter; one
     * row for each reaction: {@code reaction}, {@code count}. For tests and checks.
     */
    String recount();

    /** Runs one statement after the other, each in a transaction of its own. */
    static void run(DataSource database, List<String> statements) {
        var client = JdbcClient.create(database);
        statements.forEach(statement -> client.sql(statement).update());
    }
}
