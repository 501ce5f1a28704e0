package dev.ovation.store;

import dev.ovation.entity.Reasons;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
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

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;

import javax.sql.DataSource;

/** Puts together what bounds the use of Postgres. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreConfiguration.Settings.class)
class StoreConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(StoreConfiguration.class);

    /**
     * Settings of the use of Postgres by requests.
     *
     * @param running questions at the same time; must leave connections of the pool to the relay
     * @param waiting questions that may wait or run
     * @param patience how long one may wait
     */
    @ConfigurationProperties("ovation.postgres")
    record Settings(
            @DefaultValue("12") int running,
            @DefaultValue("500") int waiting,
            @DefaultValue("1s") Duration patience) {}

    /**
     * Migrations have connections of their own, without the time-outs of the others: one that
     * builds an index may take its time. Flyway's own settings take precedence.
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

    /** A start waits for Postgres, saying why once for each reason, unless it is to stop. */
    @Bean
    FlywayMigrationStrategy migrateOncePostgresAnswers(DataSource dataSource) {
        return flyway -> {
            var stop = new Thread(Thread.currentThread()::interrupt);
            Runtime.getRuntime().addShutdownHook(stop); // Spring's waits for the start to end
            try {
                waitFor(dataSource);
            } finally {
                forget(stop);
            }
            flyway.migrate();
        };
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("It is running already", e);
        }
    }

    private static void waitFor(DataSource dataSource) {
        var reasons = new Reasons();
        while (true) {
            try (Connection _ = dataSource.getConnection()) {
                return;
            } catch (SQLException e) {
                String reason = PostgresReason.of(e);
                if (reasons.add(reason)) {
                    LOG.warn("Waiting for Postgres: {}", reason);
                }
            }
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("stopped while waiting for Postgres", e);
            }
        }
    }

    @Bean
    PostgresGate postgresGate(Settings settings, MeterRegistry registry) {
        var gate = new PostgresGate(settings.running(), settings.waiting(), settings.patience());
        Gauge.builder("ovation.postgres.running", gate, PostgresGate::running)
                .description("Questions that requests ask of Postgres now")
                .register(registry);
        Gauge.builder("ovation.postgres.waiting", gate, PostgresGate::waiting)
                .description("Questions of requests that wait for others to be answered")
                .register(registry);
        return gate;
    }
}
