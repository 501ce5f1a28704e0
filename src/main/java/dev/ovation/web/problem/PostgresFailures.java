package dev.ovation.web.problem;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

import java.time.Duration;

/** Problems for failures of Postgres that no use case has turned into one. */
public final class PostgresFailures {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresFailures.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private PostgresFailures() {}

    /**
     * Returns the 503 of a failure; null when the failure is none of Postgres.
     *
     * @param changes whether the call may change something
     */
    public static @Nullable ProblemException problem(Throwable failure, boolean changes) {
        if (!(failure instanceof DataAccessException || failure instanceof TransactionException)) {
            return null;
        }
        LOG.warn("Postgres query failed: {}", failure.getClass().getSimpleName());
        ProblemException problem =
                changes && mayBeCommitted(failure)
                        ? Problems.outcomeUnknown("Postgres did not confirm", SOON)
                        : Problems.unavailable("Postgres cannot be asked now", SOON);
        return problem.because(failure);
    }

    /** A connection that breaks may do so after a commit, before it is confirmed. */
    private static boolean mayBeCommitted(Throwable failure) {
        return switch (failure) {
            case CannotGetJdbcConnectionException _, CannotCreateTransactionException _ -> false;
            case DataAccessResourceFailureException _, TransactionException _ -> true;
            default -> false;
        };
    }
}
