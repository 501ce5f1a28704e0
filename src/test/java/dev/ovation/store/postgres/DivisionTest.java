package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Citus;
import dev.ovation.testing.TestPostgres;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Starts with and without setting {@code ovation.postgres.citus}. */
class DivisionTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource(TestPostgres.emptyUrl(), "postgres", "postgres");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);

    static boolean isOnCitus() {
        return Citus.IS_GIVEN;
    }

    /** Migrates as a start does. */
    private void start(boolean citus) {
        var flyway = Flyway.configure().dataSource(database).locations("classpath:db/migration");
        new MigrationConfiguration()
                .sessionOfMigrations(new PostgresSettings(citus))
                .customize(flyway);
        new SchemaMigration(database, flyway.load()).start();
    }

    private Long divided() {
        return jdbc.queryForObject("select count(*) from pg_dist_partition", Long.class);
    }

    @Test
    @Tag("one-postgres")
    void aPostgresWithoutTheExtensionIsRefusedUntilTheSettingIsOff() {
        for (int i = 0; i < 2; i++) { // with a migration and without one
            assertThatThrownBy(() -> start(true))
                    .isInstanceOf(FlywayException.class)
                    .hasMessageContaining("The database has no extension citus")
                    .hasMessageContaining("set ovation.postgres.citus to false");
        }

        start(false);

        assertThat(jdbc.queryForList("select from entity")).isEmpty();
    }

    @Test
    @EnabledIf("isOnCitus")
    void theExtensionAloneDividesNothing() {
        start(false);

        assertThat(divided()).isZero();
    }

    @Test
    @EnabledIf("isOnCitus")
    void onlyADatabaseWithoutEntitiesAndAnswersIsDivided() {
        start(false);
        jdbc.update("insert into partition (p, epoch) values (0, 1)");
        jdbc.update(
                """
                insert into entity (p, no, namespace, entity, version, last_op, last_at)
                values (0, 1, 'posts', 'post', 1, 'op', 0)
                """);
        assertThatThrownBy(() -> start(true))
                .hasMessageContaining("A database that has entities cannot be divided")
                .hasMessageContaining("Set ovation.postgres.citus to false");
        assertThat(divided()).isZero();

        jdbc.update("delete from entity");
        jdbc.update(
                """
                insert into idempotency (period, namespace, user_id, key, request_hash, op_id, answer)
                values (1, '', 'ann', 'key', '', 'op', '{}')
                """);
        assertThatThrownBy(() -> start(true))
                .hasMessageContaining("Answers to idempotency keys cannot be divided")
                .hasMessageContaining("delete the rows of table idempotency");
        assertThat(divided()).isZero();

        jdbc.update("delete from idempotency");
        start(true);
        assertThat(divided()).isPositive();
        assertThat(jdbc.queryForList("select p from partition", Integer.class)).containsExactly(0);
    }

    @Test
    @EnabledIf("isOnCitus")
    void aDividedDatabaseStaysDividedWithoutTheSetting() {
        start(true);
        Long tables = divided();

        start(false);

        assertThat(divided()).isEqualTo(tables).isPositive();
    }
}
