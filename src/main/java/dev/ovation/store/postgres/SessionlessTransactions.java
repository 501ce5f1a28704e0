package dev.ovation.store.postgres;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DelegatingTransactionDefinition;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Transactions that leave no trace in their session: each sets its isolation itself. The driver
 * would set it for the session and back. Behind a pooler in transaction mode these three may be
 * three sessions of Postgres, one of which would keep the isolation for the transactions of others.
 */
public final class SessionlessTransactions extends JdbcTransactionManager {

    private static final long serialVersionUID = 1L;

    public SessionlessTransactions(DataSource dataSource) {
        super(dataSource);
    }

    /** A transaction for which the session keeps its isolation. */
    private static final class OwnIsolation extends DelegatingTransactionDefinition {

        private static final long serialVersionUID = 1L;

        private final int wanted;

        private OwnIsolation(TransactionDefinition whole) {
            super(whole);
            this.wanted = whole.getIsolationLevel();
        }

        @Override
        public int getIsolationLevel() {
            return ISOLATION_DEFAULT;
        }
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        super.doBegin(transaction, new OwnIsolation(definition));
    }

    @Override
    protected void prepareTransactionalConnection(
            Connection connection, TransactionDefinition definition) throws SQLException {
        super.prepareTransactionalConnection(connection, definition);
        if (definition instanceof OwnIsolation own
                && own.wanted != TransactionDefinition.ISOLATION_DEFAULT) {
            try (var statement = connection.createStatement()) {
                statement.execute("set transaction isolation level " + level(own.wanted));
            }
        }
    }

    private static String level(int isolation) {
        return switch (isolation) {
            case TransactionDefinition.ISOLATION_READ_COMMITTED -> "read committed";
            case TransactionDefinition.ISOLATION_REPEATABLE_READ -> "repeatable read";
            case TransactionDefinition.ISOLATION_SERIALIZABLE -> "serializable";
            default -> throw new IllegalArgumentException("isolation " + isolation);
        };
    }
}
