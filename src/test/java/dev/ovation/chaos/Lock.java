package dev.ovation.chaos;

import java.sql.Connection;
import java.sql.SQLException;

/** Locked rows of Postgres; closing this releases them. */
record Lock(Connection connection) implements AutoCloseable {

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
