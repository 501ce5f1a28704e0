package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@Isolated
@ExtendWith(OutputCaptureExtension.class)
class SessionTimeoutsTest {

    private static final String WARNING = "Postgres does not end idle transactions";

    private final DriverManagerDataSource source =
            new DriverManagerDataSource(TestPostgres.url(), "postgres", "postgres");

    private void timeOut(String value) {
        String database = source.getUrl().replaceFirst(".*/([^?]*).*", "$1");
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "alter database \"%s\" set idle_in_transaction_session_timeout = '%s'"
                            .formatted(database, value));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** As behind a pooler that drops the settings of connections. */
    @Test
    void sessionsThatMayIdleInATransactionAreWarnedOf(CapturedOutput output) {
        timeOut("0");

        SessionTimeouts.check(source);

        assertThat(output).contains(WARNING);
    }

    @Test
    void sessionsWithATimeOutAreFine(CapturedOutput output) {
        timeOut("2s");

        SessionTimeouts.check(source);

        assertThat(output).doesNotContain(WARNING);
    }
}
