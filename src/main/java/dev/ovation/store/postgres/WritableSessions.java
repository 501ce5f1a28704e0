package dev.ovation.store.postgres;

import com.zaxxer.hikari.SQLExceptionOverride;

import java.sql.SQLException;

/**
 * Makes the pool drop a connection whose session is read-only. Such a session stays read-only
 * although the server or the database was made writable since; or its server was demoted, and the
 * next session may lead to the new primary.
 */
public final class WritableSessions implements SQLExceptionOverride {

    private static final String READ_ONLY_SQL_TRANSACTION = "25006";

    @java.lang.Override
    public Override adjudicate(SQLException error) {
        return READ_ONLY_SQL_TRANSACTION.equals(error.getSQLState())
                ? Override.MUST_EVICT
                : Override.CONTINUE_EVICT;
    }
}
