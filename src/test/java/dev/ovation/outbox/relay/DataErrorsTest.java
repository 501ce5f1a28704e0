package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

import java.sql.SQLException;
import java.util.concurrent.CompletionException;

class DataErrorsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "21000", // cardinality violation
                "22001", // string too long
                "22021", // character not in the encoding
                "22P02", // invalid text
                "23502", // not null
                "23505", // unique
                "54000", // program limit exceeded
                "54023" // too many arguments
            })
    void constraintAndValueErrorsAreDataErrors(String state) {
        assertThat(isOfTheData(ofPostgres(state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08006", // connection failure
                "25006", // read-only transaction
                "28P01", // invalid password
                "40001", // serialization failure
                "40P01", // deadlock
                "42P01", // undefined table
                "53100", // disk full
                "53300", // too many connections
                "55P03", // lock not available
                "57014", // query cancelled
                "57P01", // shutdown
                "58030", // I/O error
                "XX001" // data corrupted
            })
    void operationalErrorsAreNoDataErrors(String state) {
        assertThat(isOfTheData(ofPostgres(state))).isFalse();
    }

    /** Only a divided Postgres has a period without a partition, for a moment. */
    @Test
    void aRowWithoutAPartitionIsADataErrorUnlessPostgresIsDivided() {
        var error =
                violation(
                        "SERROR\0C23514\0Mno partition of relation \"idempotency\" found for row\0");

        assertThat(DataErrors.isOfTheData(error, true)).isFalse();
        assertThat(DataErrors.isOfTheData(error, false)).isTrue();
    }

    /** Citus passes on the message of a node alone. */
    @Test
    void aRowThatViolatesACheckIsADataErrorWithAndWithoutAName() {
        for (String message :
                new String[] {
                    "SERROR\0C23514\0Mcheck\0nkind_check\0",
                    "SERROR\0C23514\0Mnew row for relation \"entity_102008\""
                            + " violates check constraint \"people\"\0",
                    "SERROR\0C23514\0"
                }) {
            assertThat(DataErrors.isOfTheData(violation(message), true)).isTrue();
        }
    }

    private static boolean isOfTheData(RuntimeException error) {
        return DataErrors.isOfTheData(error, false);
    }

    private static RuntimeException violation(String message) {
        return new DataIntegrityViolationException(
                "refused", new PSQLException(new ServerErrorMessage(message)));
    }

    @Test
    void anErrorOfThisProgramIsOfTheData() {
        assertThat(isOfTheData(new IllegalStateException("a bug"))).isTrue();
    }

    @Test
    void anErrorOfAConnectionWithoutAStateIsNotOfTheData() {
        assertThat(isOfTheData(new DataAccessResourceFailureException("no pool"))).isFalse();
        assertThat(
                        isOfTheData(
                                new DataAccessResourceFailureException(
                                        "no pool", new SQLException("no state"))))
                .isFalse();
    }

    @Test
    void theStateIsFoundBehindAnErrorWithoutOne() {
        var said = new SQLException("duplicate key", "23505");
        var outer = new IllegalStateException(new SQLException("in a batch", said));
        assertThat(isOfTheData(outer)).isTrue();

        var gone = new SQLException("terminated", "57P01");
        assertThat(isOfTheData(new IllegalStateException(new SQLException("in a batch", gone))))
                .isFalse();
    }

    @Test
    void theReasonIsThatOfTheServerWhichFailed() {
        assertThat(DataErrors.reason(ofPostgres("57P01"))).isEqualTo("said (SQLSTATE 57P01)");
        assertThat(
                        DataErrors.reason(
                                new CompletionException(
                                        new RedisCommandExecutionException("LOADING the data"))))
                .isEqualTo("LOADING the data");
    }

    @Test
    void theReasonQuotesNoValueOfARow() {
        var said = new SQLException("Key (user_id)=(user-4711) exists", "23505");

        assertThat(DataErrors.reason(new DataIntegrityViolationException("user-4711", said)))
                .isEqualTo("DataIntegrityViolationException, SQLSTATE 23505");
    }

    private static RuntimeException ofPostgres(String state) {
        return new DataAccessResourceFailureException("failed", new SQLException("said", state));
    }
}
