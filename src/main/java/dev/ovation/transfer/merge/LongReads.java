package dev.ovation.transfer.merge;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads that may take minutes, because they hold no locks. */
final class LongReads {

    private static final int ANSWER_MILLIS = 600_000;

    private LongReads() {}

    /** Lifts the time-outs of the present transaction. */
    static void takeYourTime(JdbcTemplate jdbc) {
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
}
