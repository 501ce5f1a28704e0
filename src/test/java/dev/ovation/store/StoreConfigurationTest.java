package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Which connections migrations use. */
class StoreConfigurationTest {

    private final ApplicationContextRunner service =
            new ApplicationContextRunner()
                    .withUserConfiguration(StoreConfiguration.class)
                    .withBean(SimpleMeterRegistry.class)
                    .withBean("dataSource", DriverManagerDataSource.class)
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
