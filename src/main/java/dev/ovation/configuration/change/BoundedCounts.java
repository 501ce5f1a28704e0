package dev.ovation.configuration.change;

import dev.ovation.store.postgres.LongReads;
import dev.ovation.store.shard.Shards;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

/** Counts whole tables while there is time, and samples afterwards. */
final class BoundedCounts {

    private static final String CANCELLED = "57014";

    private final JdbcTemplate jdbc;
    private final Shards shards;
    private final TransactionOperations transactions;
    private final long deadline;
    private final Duration sample;

    /**
     * Begins the time.
     *
     * @param budget time of all exact counts together
     * @param sample time of each statement that reads a sample
     */
    BoundedCounts(
            JdbcTemplate jdbc,
            Shards shards,
            TransactionOperations transactions,
            Duration budget,
            Duration sample) {
        this.jdbc = jdbc;
        this.shards = shards;
        this.transactions = transactions;
        this.deadline = System.nanoTime() + budget.toNanos();
        this.sample = sample;
    }

    /** An answer, and whether it is of whole tables. */
    record Counted<T>(T value, boolean exact) {}

    /** Returns the problem of a change whose impact is not known. */
    static ProblemException unavailable() {
        return Problems.unavailable(
                "the impact of the change cannot be counted now", Duration.ofSeconds(1));
    }

    /**
     * Asks.
     *
     * @throws ProblemException 503 when not even a sample is read in time
     */
    <T> Counted<T> ask(Function<ImpactCounter, T> question) {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        T exact = left.toMillis() > 0 ? ask(question, true, left) : null;
        if (exact != null) {
            return new Counted<>(exact, true);
        }
        T sampled = ask(question, false, sample);
        if (sampled == null) {
            throw unavailable();
        }
        return new Counted<>(sampled, false);
    }

    /** Returns null when Postgres does not answer in time. */
    private <T> @Nullable T ask(Function<ImpactCounter, T> question, boolean exact, Duration most) {
        try {
            return transactions.execute(
                    _ -> {
                        LongReads.takeAtMost(most, jdbc);
                        return question.apply(new ImpactCounter(jdbc, shards, exact));
                    });
        } catch (DataAccessException e) {
            if (e.getRootCause() instanceof SQLException cause
                    && CANCELLED.equals(cause.getSQLState())) {
                return null;
            }
            throw e;
        }
    }
}
