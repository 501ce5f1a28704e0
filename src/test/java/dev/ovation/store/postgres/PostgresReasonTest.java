package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

class PostgresReasonTest {

    @Test
    void anErrorOfPostgresIsNamedInsteadOfTheEmptyPool() {
        var said =
                new SQLException("FATAL: password authentication failed for user \"o\"", "28P01");
        var pool = new SQLTransientConnectionException("no connection is free", "28P01", said);

        assertThat(PostgresReason.of(new CannotGetJdbcConnectionException("none", pool)))
                .isEqualTo("FATAL: password authentication failed for user \"o\" (SQLSTATE 28P01)");
    }

    @Test
    void anErrorThatMayQuoteAValueIsNamedByItsStateAlone() {
        var quoting = new SQLException("ERROR: invalid input syntax: \"user-4711\"", "22P02");

        assertThat(PostgresReason.of(new IllegalStateException(quoting)))
                .isEqualTo("IllegalStateException, SQLSTATE 22P02");
    }

    @Test
    void aValueThatPostgresQuotesIsNotNamed() {
        var jdbc = new JdbcTemplate(TestPostgres.database());
        Throwable failure = catchThrowable(() -> jdbc.execute("select 'user-4711'::bigint"));

        assertThat(failure).hasMessageContaining("user-4711");
        assertThat(PostgresReason.of(failure))
                .isEqualTo("DataIntegrityViolationException, SQLSTATE 22P02");
    }

    @Test
    void aLibrarysErrorWithoutStateIsNamedByItsClass() {
        assertThat(PostgresReason.of(new SQLException("of user-4711"))).isEqualTo("SQLException");
        assertThat(PostgresReason.of(new TransientDataAccessResourceException("of user-4711")))
                .isEqualTo("TransientDataAccessResourceException");
    }

    @Test
    void anExhaustedPoolIsNamedAsTheReason() {
        assertThat(PostgresReason.of(new SQLTransientConnectionException("no connection is free")))
                .isEqualTo("no connection is free");
    }

    @Test
    void onlyTheFirstLineIsNamed() {
        assertThat(PostgresReason.of(new SQLException("gone\n  Where: here", "57P01")))
                .isEqualTo("gone (SQLSTATE 57P01)");
    }

    @Test
    void aFailureWithoutStateIsNamedByItsFirstCause() {
        var first = new ConnectException("Connection refused");

        assertThat(PostgresReason.of(new IllegalStateException("outer", first)))
                .isEqualTo("Connection refused");
        assertThat(PostgresReason.of(new IllegalStateException()))
                .isEqualTo("IllegalStateException");
    }
}
