package dev.ovation.store;

import java.sql.SQLException;
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
     * Returns what Postgres or its driver said; of an error that may quote a value, its SQLSTATE
     * alone. The message of a pool says only that none of its connections became free.
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
            return text(first);
        }
        String state = String.valueOf(said.getSQLState());
        boolean telling = state.length() == 5 && TELLING.contains(state.substring(0, 2));
        return telling ? text(said) + " (SQLSTATE " + state + ")" : "SQLSTATE " + state;
    }

    /** The first line: what follows says where, or quotes the statement. */
    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }
}
