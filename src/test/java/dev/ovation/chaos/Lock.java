package dev.ovation.chaos;

import dev.ovation.testing.Citus;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Locked rows of Postgres; closing this releases them. */
record Lock(Connection connection) implements AutoCloseable {

    /** Locks all partitions; those of a Citus one after the other. */
    static Lock ofPartitions(Ground ground) throws SQLException {
        String each =
                IntStream.range(0, Ground.PARTITIONS)
                        .mapToObj("select from partition where p = %d for update"::formatted)
                        .collect(Collectors.joining(";"));
        return of(ground, Citus.IS_GIVEN ? each : "select from partition for update");
    }

    static Lock of(Ground ground, String statement) throws SQLException {
        var connection = ground.connect();
        connection.setAutoCommit(false);
        try (var locking = connection.createStatement()) {
            // A relay may lock some of the rows in another order; then the relay is the deadlock
            // victim.
            locking.execute("set local deadlock_timeout = '1h'");
            locking.execute(statement);
        }
        return new Lock(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
