package dev.ovation.store;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Locale;

/** Results of {@link RelayFunction}. Every result but the first leaves all tables as they were. */
public enum CallResult {
    /** The call is committed. */
    APPLIED(null),
    /** Another transaction has locked a partition, or its watermark is not the expected one. */
    PARTITION(null),
    /** A reaction has no number yet. */
    REACTION(null),
    /** An entity is not at the base of its first event. */
    BASE("OV001"),
    /** An idempotency key is taken. */
    KEY("OV002"),
    /** A watermark moved under the lock. */
    WATERMARK("OV003"),
    /** Postgres refused the data of an event. */
    DATA(null),
    /** The call was not made: it cannot apply such events. */
    UNSUITABLE(null);

    private final @Nullable String sqlState;

    CallResult(@Nullable String sqlState) {
        this.sqlState = sqlState;
    }

    /** Returns the name that the function and the metrics use. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the result that an error of the function stands for; null for any other error. */
    static @Nullable CallResult of(RuntimeException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                for (CallResult result : values()) {
                    if (sql.getSQLState().equals(result.sqlState)) {
                        return result;
                    }
                }
            }
        }
        return null;
    }
}
