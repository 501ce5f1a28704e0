package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.nio.file.Path;

@Beside
@Tag("embedded")
class PostgresProcessTest {

    private static PostgresProcess postgres;
    private static JdbcTemplate sql;
    private static JdbcTemplate impatient;

    @BeforeAll
    static void start() {
        postgres = PostgresProcess.start();
        sql = template("");
        impatient = template("?socketTimeout=1");
        sql.execute("create table kept (n int)");
    }

    private static JdbcTemplate template(String options) {
        return new JdbcTemplate(
                new DriverManagerDataSource(postgres.url() + options, "postgres", "postgres"));
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Test
    void aKilledPostgresRestartsWithItsCommittedRows() {
        sql.execute("insert into kept values (1)");
        postgres.kill();
        assertThatThrownBy(() -> sql.execute("select 1")).isNotNull();
        postgres.restart();
        assertThat(count()).isPositive();
    }

    @Test
    void aPausedPostgresAnswersOnlyAfterItsResumption() {
        postgres.pause();
        try {
            assertThatThrownBy(() -> impatient.execute("select 1")).isNotNull();
        } finally {
            postgres.resume();
        }
        assertThat(sql.queryForObject("select 1", Integer.class)).isEqualTo(1);
    }

    @Test
    void anOlderCopyLacksLaterRows() {
        postgres.stop();
        Path copy = postgres.copy();
        postgres.restart();
        int before = count();
        sql.execute("insert into kept values (2)");
        postgres.stop();
        postgres.replace(copy);
        postgres.restart();
        assertThat(count()).isEqualTo(before);
    }

    @Test
    void aStandbyFollows() {
        try (var standby = postgres.startStandby()) {
            var followed =
                    new JdbcTemplate(
                            new DriverManagerDataSource(standby.url(), "postgres", "postgres"));
            assertThat(followed.queryForObject("select pg_is_in_recovery()", Boolean.class))
                    .isTrue();
            sql.execute("insert into kept values (3)");
            int all = count();
            Wait.until(
                    "the new row is there",
                    () ->
                            followed.queryForObject("select count(*) from kept", Integer.class)
                                    == all);
        }
    }

    private static int count() {
        return sql.queryForObject("select count(*) from kept", Integer.class);
    }
}
