package dev.ovation.testing;

import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.springframework.jdbc.datasource.AbstractDataSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

/**
 * Connections to one database that stay open between statements: a start of a session takes
 * Postgres longer than most statements of tests. A connection that a fault broke is replaced before
 * its next use. Sessions keep their state, so a test must not change it.
 */
public final class ReusedConnections extends AbstractDataSource implements AutoCloseable {

    private static final int MOST_IDLE = 1;
    private static final int SECONDS_OF_CHECK = 5;

    private final DataSource source;
    private final BlockingQueue<Connection> idle = new LinkedBlockingQueue<>(MOST_IDLE);
    private volatile boolean closed;

    /** Creates a source that opens its connections by another one. */
    public ReusedConnections(DataSource source) {
        this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection kept;
        while ((kept = idle.poll()) != null) {
            if (kept.isValid(SECONDS_OF_CHECK)) {
                return lent(kept);
            }
            kept.close();
        }
        return lent(source.getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return source.getConnection(user, password);
    }

    /** A connection whose first {@code close} makes it idle. */
    private Connection lent(Connection connection) {
        var isClosed = new AtomicBoolean();
        return (Connection)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("close")) {
                                if (isClosed.compareAndSet(false, true)) {
                                    takeBack(connection);
                                }
                                return null;
                            }
                            if (method.getName().equals("isClosed") && isClosed.get()) {
                                return true;
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private void takeBack(Connection connection) throws SQLException {
        if (closed || !isReusable(connection) || !idle.offer(connection)) {
            connection.close();
        }
    }

    /** A statement may have begun a transaction by itself, and failed within it. */
    private static boolean isReusable(Connection connection) throws SQLException {
        return !connection.isClosed()
                && connection.getAutoCommit()
                && connection.unwrap(BaseConnection.class).getTransactionState()
                        == TransactionState.IDLE;
    }

    /** Closes the idle connections; later ones end with their use. */
    @Override
    public void close() {
        closed = true;
        Connection kept;
        while ((kept = idle.poll()) != null) {
            try {
                kept.close();
            } catch (SQLException e) {
                logger.debug("A connection cannot be closed: its server is gone", e);
            }
        }
    }
}
