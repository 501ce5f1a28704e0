package dev.ovation.store.postgres;

import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** The reason why Postgres is unusable, as one sentence for operators. */
public final class PostgresReason {

    /**
     * Classes of SQLSTATE whose messages name hosts, users and databases, and never a value of a
     * row: connections, authorisation, databases, resources, interventions, system errors,
     * settings.
     */
    private static final Set<String> TELLING =
            Set.of("08", "25", "28", "3D", "42", "53", "57", "58", "F0", "XX");

    private PostgresReason() {}

    /**
     * Returns the message of Postgres or its driver. For an error that may quote a value, returns
     * its class and SQLSTATE, as {@code DataIntegrityViolationException, SQLSTATE 22P02}; for an
     * error of a library without a state, its class; for an error of this program, its message.
     */
    public static String of(Throwable failure) {
        SQLException said = null;
        Throwable first = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException error && error.getSQLState() != null) {
                said = error;
            }
            first = each;
        }
        if (said == null) {
            return quotesNothing(first) ? text(first) : first.getClass().getSimpleName();
        }
        String state = String.valueOf(said.getSQLState());
        boolean telling = state.length() == 5 && TELLING.contains(state.substring(0, 2));
        return telling
                ? text(said) + " (SQLSTATE " + state + ")"
                : failure.getClass().getSimpleName() + ", SQLSTATE " + state;
    }

    /** A pool without a free connection has a message, and no SQLSTATE. */
    private static boolean quotesNothing(Throwable failure) {
        return failure instanceof SQLTransientConnectionException
                || !(failure instanceof SQLException || failure instanceof NestedRuntimeException);
    }

    /** Returns the first line; the others quote the statement or a position in it. */
    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }
}
