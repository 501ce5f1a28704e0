package dev.ovation.store.postgres;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.StringUtils;

import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

import javax.sql.DataSource;

/** Creates the beans that migrate the schema: for the service, and for command {@code migrate}. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PostgresSettings.class)
public class MigrationConfiguration {

    /** Time that a statement of a migration waits for a lock. Requests queue behind that wait. */
    private static final String LOCK_TIMEOUT = "set lock_timeout = '2s'";

    /**
     * Gives migrations connections without the time-outs of the others, because an index may take
     * long to build. Flyway's own settings take precedence.
     */
    @Bean(defaultCandidate = false)
    @FlywayDataSource
    @Conditional(NoSettingsOfFlyway.class)
    DataSource migrations(JdbcConnectionDetails details) {
        var dataSource =
                new DriverManagerDataSource(
                        details.getJdbcUrl(),
                        Objects.requireNonNullElse(details.getUsername(), ""),
                        Objects.requireNonNullElse(details.getPassword(), ""));
        var properties = new Properties();
        properties.put("connectTimeout", "2");
        properties.put("tcpKeepAlive", "true");
        dataSource.setConnectionProperties(properties);
        return dataSource;
    }

    private static final class NoSettingsOfFlyway implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment settings = context.getEnvironment();
            return !StringUtils.hasLength(settings.getProperty("spring.flyway.url"))
                    && !StringUtils.hasLength(settings.getProperty("spring.flyway.user"));
        }
    }

    /**
     * A migration that waits for a lock gives up soon; {@link SchemaMigration} repeats it. {@code
     * afterMigrate.sql} reads whether to divide the tables.
     */
    @Bean
    FlywayConfigurationCustomizer sessionOfMigrations(PostgresSettings settings) {
        return flyway -> {
            String ours = LOCK_TIMEOUT + ";\nset ovation.citus = " + settings.citus();
            String own = flyway.getInitSql();
            flyway.initSql(own == null ? ours : ours + ";\n" + own);
        };
    }

    /** The role of the service, when another one owns the schema, gets its rights. */
    @Bean
    FlywayConfigurationCustomizer rightsOfTheService(JdbcConnectionDetails details) {
        return flyway -> {
            String name = details.getUsername();
            if (StringUtils.hasLength(name)) {
                var callbacks =
                        Stream.of(flyway.getCallbacks(), new Callback[] {new ServiceRole(name)});
                flyway.callbacks(callbacks.flatMap(Stream::of).toArray(Callback[]::new));
            }
        };
    }

    /** {@link SchemaMigration} migrates later. */
    @Bean
    FlywayMigrationStrategy migrateNoBean() {
        return _ -> {};
    }

    @Bean
    SchemaMigration schemaMigration(DataSource dataSource, ObjectProvider<Flyway> flyway) {
        @Nullable Flyway migrations = flyway.getIfAvailable();
        return new SchemaMigration(dataSource, migrations);
    }
}
