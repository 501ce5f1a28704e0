package dev.ovation.store;

import org.springframework.core.NestedRuntimeException;

import java.sql.SQLException;
import java.util.Set;

/** Words for logs about what failed in Postgres, without values that its messages may quote. */
public final class SqlFailures {

    /**
     * Classes of SQLSTATE whose messages quote no row and no argument: connection, authorization,
     * resources, operator intervention, and the system.
     */
    private static final Set<String> ABOUT_THE_SERVER = Set.of("08", "28", "53", "57", "58");

    private SqlFailures() {}

    /**
     * Names a failure by its class and SQLSTATE, and by its message only where that is about the
     * server or the connection. A failure that Postgres has no part in keeps its message.
     *
     * @return one line, such as {@code DataIntegrityViolationException, SQLSTATE 22P02}
     */
    public static String name(Throwable failure) {
        String type = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return type + ", " + state(sql);
            }
        }
        return failure instanceof NestedRuntimeException ? type : failure.toString();
    }

    private static String state(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null) {
            return "no SQLSTATE";
        }
        boolean quotesNothing =
                state.length() > 1 && ABOUT_THE_SERVER.contains(state.substring(0, 2));
        return "SQLSTATE " + state + (quotesNothing ? ": " + failure.getMessage() : "");
    }
}
