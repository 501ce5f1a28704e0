package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisReason;
import dev.ovation.store.postgres.PostgresReason;

import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;

/** Distinguishes errors of the data from errors of the server, and extracts their reason. */
public final class DataErrors {

    private DataErrors() {}

    /**
     * Returns whether an event caused the error: Postgres refuses it (SQL classes 21, 22, 23 and
     * 54) or this program fails on it. Other errors are those of a server or a connection.
     *
     * @param divided whether Postgres is divided: then a period may have a table on the coordinator
     *     before it has one on each node, and an event before that is not at fault
     */
    static boolean isOfTheData(RuntimeException error, boolean divided) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState().matches("(2[123]|54).*")
                        && !(divided && lacksPartition(sql));
            }
        }
        return !(error instanceof NestedRuntimeException);
    }

    /** Only the message says so: Citus passes on no name of a constraint for any violation. */
    private static boolean lacksPartition(SQLException error) {
        return PSQLState.CHECK_VIOLATION.getState().equals(error.getSQLState())
                && error instanceof PSQLException postgres
                && postgres.getServerErrorMessage() != null
                && postgres.getServerErrorMessage().getMessage() != null
                && postgres.getServerErrorMessage()
                        .getMessage()
                        .startsWith("no partition of relation ");
    }

    /** Returns the message of Postgres or Redis, as a sentence for operators. */
    public static String reason(Throwable error) {
        return error instanceof NestedRuntimeException
                ? PostgresReason.of(error)
                : RedisReason.of(error);
    }
}
