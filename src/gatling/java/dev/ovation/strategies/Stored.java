package dev.ovation.strategies;

import org.postgresql.ds.PGSimpleDataSource;

import java.util.List;

/**
 * Creates the tables of a strategy in an empty database, with one reaction of {@code user-1} on
 * each entity: {@code <jdbc url> <strategy> <namespace> <prefix> <entities> <reaction>}; the names
 * are the prefix and a number from 1. The environment holds the password of postgres as {@code
 * SPRING_DATASOURCE_PASSWORD}.
 */
final class Stored {

    private Stored() {}

    public static void main(String... arguments) {
        var database = new PGSimpleDataSource();
        database.setUrl(arguments[0]);
        database.setUser("postgres");
        database.setPassword(System.getenv("SPRING_DATASOURCE_PASSWORD"));
        Schema schema = Strategies.named(arguments[1], null, null);
        schema.create(database);
        Schema.run(
                database,
                List.of(
                        """
                        create unlogged table %s as
                        select '%s' as namespace, '%s' || n as entity, 'user-1' as user_id,
                               '%s' as reaction, 1700000000000000 + n as at
                        from   generate_series(1, %d) as n
                        """
                                .formatted(
                                        Population.TABLE,
                                        arguments[2],
                                        arguments[3],
                                        arguments[5],
                                        Integer.parseInt(arguments[4]))));
        Schema.run(database, schema.filling());
        Schema.run(
                database,
                List.of("drop table " + Population.TABLE, "vacuum (analyze)", "checkpoint"));
    }
}
