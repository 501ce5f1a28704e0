package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.postgres.MigrationConfiguration;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.testing.TestPostgres;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Connections of migrations, and the share of the others that requests use. */
class StoreConfigurationTest {

    private static final String POOL_SIZE = "spring.datasource.hikari.maximum-pool-size";

    /** The start waits for it. */
    private static final String POSTGRES = TestPostgres.url();

    private final ApplicationContextRunner service =
            new ApplicationContextRunner()
                    .withUserConfiguration(StoreConfiguration.class, MigrationConfiguration.class)
                    .withBean(SimpleMeterRegistry.class)
                    .withBean(
                            "dataSource",
                            DriverManagerDataSource.class,
                            () -> new DriverManagerDataSource(POSTGRES, "postgres", "postgres"))
                    .withBean(JdbcConnectionDetails.class, Details::new);

    @Test
    void migrationsHaveConnectionsOfTheirOwn() {
        service.run(context -> assertThat(context).hasBean("migrations"));
        service.withPropertyValues("spring.flyway.url=", "spring.flyway.user=")
                .run(context -> assertThat(context).hasBean("migrations"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.flyway.url=jdbc:postgresql://db/o", "spring.flyway.user=ann"})
    void settingsOfFlywayTakePrecedence(String setting) {
        service.withPropertyValues(setting)
                .run(context -> assertThat(context).doesNotHaveBean("migrations"));
    }

    @ParameterizedTest
    @CsvSource({"5, 3", "10, 6", "20, 12"})
    void queriesOfRequestsTakeThreeFifthsOfTheConnections(int connections, int queries) {
        service.withPropertyValues(POOL_SIZE + "=" + connections)
                .run(
                        context ->
                                assertThat(context.getBean(PostgresBulkhead.class).mostRunning())
                                        .isEqualTo(queries));
    }

    @Test
    void tooFewConnectionsEndTheStart() {
        service.withPropertyValues(POOL_SIZE + "=4")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .isInstanceOf(
                                                InvalidConfigurationPropertyValueException.class)
                                        .hasMessageContaining(POOL_SIZE)
                                        .hasMessageContaining(
                                                "POSTGRES_CONNECTIONS to at least 5"));
    }

    @Test
    void connectionsWithoutAutoCommitEndTheStart() {
        String setting = "spring.datasource.hikari.auto-commit";
        service.withPropertyValues(setting + "=false")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .isInstanceOf(
                                                InvalidConfigurationPropertyValueException.class)
                                        .hasMessageContaining(setting));
    }

    private static final class Details implements JdbcConnectionDetails {

        @Override
        public String getUsername() {
            return "postgres";
        }

        @Override
        public String getPassword() {
            return "";
        }

        @Override
        public String getJdbcUrl() {
            return "jdbc:postgresql://db/o";
        }
    }
}
