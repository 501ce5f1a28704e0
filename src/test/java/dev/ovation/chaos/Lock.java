package dev.ovation.chaos;

import java.sql.Connection;
import java.sql.SQLException;

/** Rows of Postgres that are locked until this is closed. */
record Lock(Connection connection) implements AutoCloseable {

    static Lock of(Bench bench, String statement) throws SQLException {
        var connection = bench.connect();
        connection.setAutoCommit(false);
        try (var locking = connection.createStatement()) {
            // A relay may take some of the rows in another order: then the relay is the victim.
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
