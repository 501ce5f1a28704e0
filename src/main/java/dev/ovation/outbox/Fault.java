package dev.ovation.outbox;

import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;

/** Tells whose fault it is that a batch cannot be stored. */
final class Fault {

    private Fault() {}

    /**
     * Returns whether it is that of an event: one that Postgres refuses (SQL classes 21, 22, 23 and
     * 54) or that this program trips over, as against a server or a connection that fails.
     */
    static boolean isOfTheData(RuntimeException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState().matches("(2[123]|54).*");
            }
        }
        return !(error instanceof NestedRuntimeException);
    }
}
