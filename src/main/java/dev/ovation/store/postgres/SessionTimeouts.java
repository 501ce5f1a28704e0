package dev.ovation.store.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Warns when Postgres does not end the sessions that idle in a transaction. Then an instance that
 * is paused in one keeps the rows of its partitions locked. The settings of the connection end
 * them, unless a pooler drops these settings.
 */
final class SessionTimeouts {

    private static final Logger LOG = LoggerFactory.getLogger(SessionTimeouts.class);

    private SessionTimeouts() {}

    static void check(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery("show idle_in_transaction_session_timeout")) {
            if (found.next() && "0".equals(found.getString(1))) {
                LOG.warn(
                        "Postgres does not end idle transactions: a pooler drops the settings of"
                                + " connections. Give them to the role, as in docs/deploying.md,"
                                + " section Postgres");
            }
        } catch (SQLException e) {
            LOG.debug("The time-outs of sessions are not checked", e);
        }
    }
}
