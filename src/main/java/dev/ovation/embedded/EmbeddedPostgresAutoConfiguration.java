package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedPostgres;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

import java.io.IOException;

import javax.sql.DataSource;

/** Contributes the address of an embedded Postgres unless Spring's settings give one. */
@AutoConfiguration(
        after = EmbeddedAutoConfiguration.class,
        before = DataSourceAutoConfiguration.class)
@Conditional(Embeddable.Postgres.class)
@ConditionalOnMissingBean({DataSource.class, JdbcConnectionDetails.class})
class EmbeddedPostgresAutoConfiguration {

    @Bean(initMethod = "start")
    EmbeddedPostgres embeddedPostgres(DataFolder folder, EmbeddedProperties properties)
            throws IOException {
        return new EmbeddedPostgres(folder, properties.postgresPort());
    }

    @Bean
    JdbcConnectionDetails embeddedPostgresDetails(EmbeddedPostgres server) {
        return new Details(server.url(), server.password());
    }

    private record Details(String url, String password) implements JdbcConnectionDetails {

        @Override
        public String getJdbcUrl() {
            return url;
        }

        @Override
        public String getUsername() {
            return EmbeddedPostgres.USER;
        }

        @Override
        public String getPassword() {
            return password;
        }

        /** Without the password, which a record would show. */
        @Override
        public String toString() {
            return url;
        }
    }
}
