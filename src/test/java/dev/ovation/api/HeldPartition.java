package dev.ovation.api;

import dev.ovation.testing.TwoInstances;

import java.sql.Connection;
import java.sql.SQLException;

/** Locks the row of a partition, like a relay: proposals of the partition wait for their commit. */
final class HeldPartition implements AutoCloseable {

    private final Connection connection;

    private HeldPartition(Connection connection) {
        this.connection = connection;
    }

    static HeldPartition of(int p) throws SQLException {
        Connection connection = TwoInstances.database();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("select from partition where p = " + p + " for update");
        }
        return new HeldPartition(connection);
    }

    /** Releases the lock without a change. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
