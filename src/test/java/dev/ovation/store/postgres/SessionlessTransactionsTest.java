package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import javax.sql.DataSource;

/** The isolation of a transaction is its own, and not that of its session. */
class SessionlessTransactionsTest {

    private static final DataSource SOURCE = TestPostgres.database();

    private final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);

    @ParameterizedTest
    @CsvSource({
        "ISOLATION_DEFAULT, read committed",
        "ISOLATION_READ_COMMITTED, read committed",
        "ISOLATION_REPEATABLE_READ, repeatable read",
        "ISOLATION_SERIALIZABLE, serializable"
    })
    void aTransactionSetsItsIsolationAndNoneOfItsSession(String level, String shown) {
        for (boolean readOnly : new boolean[] {false, true}) {
            var template = new TransactionTemplate(new SessionlessTransactions(SOURCE));
            template.setIsolationLevelName(level);
            template.setReadOnly(readOnly);

            template.executeWithoutResult(
                    _ -> {
                        assertThat(show("transaction_isolation")).isEqualTo(shown);
                        assertThat(show("transaction_read_only"))
                                .isEqualTo(readOnly ? "on" : "off");
                        // Settings of the session, which the driver would change.
                        assertThat(show("default_transaction_isolation"))
                                .isEqualTo("read committed");
                        assertThat(show("default_transaction_read_only")).isEqualTo("off");
                    });
        }
    }

    /** Statements of one transaction see one snapshot. */
    @Test
    void aRepeatableReadSeesOneSnapshot() {
        jdbc.execute("create table seen (n int)");
        var template = new TransactionTemplate(new SessionlessTransactions(SOURCE));
        template.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        var other = new TransactionTemplate(new SessionlessTransactions(SOURCE));
        other.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        template.executeWithoutResult(
                _ -> {
                    int before = count();
                    other.executeWithoutResult(_ -> jdbc.update("insert into seen values (1)"));
                    assertThat(count()).isEqualTo(before);
                });
        assertThat(count()).isEqualTo(1);
    }

    private int count() {
        Integer found = jdbc.queryForObject("select count(*) from seen", Integer.class);
        return found == null ? -1 : found;
    }

    private String show(String name) {
        return jdbc.queryForObject("show " + name, String.class);
    }
}
