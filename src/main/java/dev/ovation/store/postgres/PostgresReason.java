package dev.ovation.store.postgres;

import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Why Postgres cannot be used, as one sentence for operators. */
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
     * Returns what Postgres or its driver said. An error that may quote a value is named by its
     * class and SQLSTATE, as {@code DataIntegrityViolationException, SQLSTATE 22P02}; one of a
     * library, without a state, by its class; one of this program by its message.
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

    /** The first line: what follows says where, or quotes the statement. */
    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }
}
