package dev.ovation.outbox;

import dev.ovation.hot.RedisReason;
import dev.ovation.store.PostgresReason;

import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;

/** Tells whose fault it is that something fails, and what was said of it. */
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

    /** Returns what Postgres or Redis said, as a sentence for operators. */
    static String reason(Throwable error) {
        return error instanceof NestedRuntimeException
                ? PostgresReason.of(error)
                : RedisReason.of(error);
    }
}
