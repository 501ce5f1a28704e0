package dev.ovation.store.postgres;

import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Finds a pooler on the way of migrations. A migration holds a lock of its session, which a pooler
 * in transaction mode may leave on a session that serves others. A server names the process of the
 * session to a new connection; a pooler names a number of its own.
 */
final class PooledMigrations {

    private static final Logger LOG = LoggerFactory.getLogger(PooledMigrations.class);

    private PooledMigrations() {}

    /** Looks at a connection for migrations. */
    static boolean isPooled(DataSource migrations) {
        try (var connection = migrations.getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery("select pg_backend_pid()")) {
            return connection.isWrapperFor(PGConnection.class)
                    && found.next()
                    && found.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
        } catch (SQLException e) {
            LOG.debug("The connection of migrations is not checked", e); // the migration fails next
            return false;
        }
    }
}
