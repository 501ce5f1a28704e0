package dev.ovation.store.postgres;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;

/** Reads that may take longer than other transactions, because they hold no locks. */
public final class LongReads {

    private static final int ANSWER_MILLIS = 600_000;

    private LongReads() {}

    /** Lifts the time-outs of the present transaction. */
    public static void takeYourTime(JdbcTemplate jdbc) {
        jdbc.query(
                """
                select set_config('transaction_timeout', '0', true)
                where  current_setting('server_version_num')::int >= 170000
                """,
                _ -> {});
        ConnectionCallback<Boolean> patient =
                connection -> {
                    connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
                    return true;
                };
        jdbc.execute(patient);
    }

    /**
     * Lifts the time-outs of the present transaction, and bounds each of its statements.
     *
     * @param most time of a statement, at least 1 ms
     */
    public static void takeAtMost(Duration most, JdbcTemplate jdbc) {
        takeYourTime(jdbc);
        jdbc.query(
                "select set_config('statement_timeout', ?, true)", _ -> {}, most.toMillis() + "ms");
    }
}
