package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.SQLException;

class SqlFailuresTest {

    private static final JdbcTemplate JDBC = new JdbcTemplate(TestPostgres.database());

    @Test
    void aValueThatPostgresQuotesIsNotNamed() {
        Throwable failure = catchThrowable(() -> JDBC.execute("select 'user-4711'::bigint"));

        assertThat(failure).hasMessageContaining("user-4711");
        assertThat(SqlFailures.name(failure))
                .isEqualTo("DataIntegrityViolationException, SQLSTATE 22P02");
    }

    @Test
    void ofAServerThatIsAwayTheMessageIsNamed() {
        var cause = new SQLException("Connection to db:5432 refused", "08001");

        assertThat(SqlFailures.name(new DataAccessResourceFailureException("select 1", cause)))
                .isEqualTo(
                        "DataAccessResourceFailureException, SQLSTATE 08001:"
                                + " Connection to db:5432 refused");
    }

    @Test
    void withoutAStateTheClassesAreNamed() {
        assertThat(SqlFailures.name(new SQLException("of user-4711")))
                .isEqualTo("SQLException, no SQLSTATE");
        assertThat(SqlFailures.name(new TransientDataAccessResourceException("of user-4711")))
                .isEqualTo("TransientDataAccessResourceException");
    }

    @Test
    void aFailureOfTheProgramKeepsItsMessage() {
        assertThat(SqlFailures.name(new IllegalStateException("no epoch")))
                .isEqualTo("java.lang.IllegalStateException: no epoch");
    }
}
