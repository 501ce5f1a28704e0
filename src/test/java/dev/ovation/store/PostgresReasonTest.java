package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

class PostgresReasonTest {

    @Test
    void whatPostgresSaidIsNamedAndNotThatThePoolIsEmpty() {
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
                .isEqualTo("SQLSTATE 22P02");
    }

    @Test
    void onlyTheFirstLineIsNamed() {
        assertThat(PostgresReason.of(new SQLException("gone\n  Where: here", "57P01")))
                .isEqualTo("gone (SQLSTATE 57P01)");
    }

    @Test
    void ofAFailureWithoutStateTheFirstCauseSpeaks() {
        var first = new ConnectException("Connection refused");

        assertThat(PostgresReason.of(new IllegalStateException("outer", first)))
                .isEqualTo("Connection refused");
        assertThat(PostgresReason.of(new IllegalStateException()))
                .isEqualTo("IllegalStateException");
    }
}
