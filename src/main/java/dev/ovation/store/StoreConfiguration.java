package dev.ovation.store;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.postgres.SessionlessTransactions;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;

import java.time.Duration;

import javax.sql.DataSource;

/** Creates the beans that bound the use of Postgres. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreConfiguration.StoreConstants.class)
class StoreConfiguration {

    /** Setting of the number of connections. */
    private static final String POOL_SIZE = "spring.datasource.hikari.maximum-pool-size";

    private static final String AUTO_COMMIT = "spring.datasource.hikari.auto-commit";

    /** With fewer, loads of entities would take all queries of requests. */
    private static final int LEAST_POOL_SIZE = 5;

    /**
     * Constants, bound for tests.
     *
     * @param maxConcurrent Queries of requests at the same time; absent: three fifths of the
     *     connections. The relay needs some of the others.
     * @param queueCapacity Queries that may wait or run.
     * @param maxWait Time that one query may wait.
     */
    @ConfigurationProperties("ovation.internal.postgres")
    record StoreConstants(
            @Nullable Integer maxConcurrent,
            @DefaultValue("500") int queueCapacity,
            @DefaultValue("1s") Duration maxWait) {

        int maxConcurrent(int poolSize) {
            return maxConcurrent == null ? poolSize * 3 / 5 : maxConcurrent;
        }
    }

    /** Before all other beans, so that the start does not wait for Postgres first. */
    @Bean
    static BeanFactoryPostProcessor usableConnections(Environment environment) {
        return _ -> {
            var _ = poolSize(environment);
            requireAutoCommit(environment);
        };
    }

    /**
     * The relay's call is one statement that commits itself. Without auto-commit the pool would
     * roll it back after its answer.
     *
     * @throws InvalidConfigurationPropertyValueException when auto-commit is off
     */
    private static void requireAutoCommit(Environment environment) {
        if (!environment.getProperty(AUTO_COMMIT, boolean.class, true)) {
            throw new InvalidConfigurationPropertyValueException(
                    AUTO_COMMIT,
                    false,
                    "The relay commits by single statements. Remove the setting.");
        }
    }

    /**
     * Returns the number of connections.
     *
     * @throws InvalidConfigurationPropertyValueException when they are too few
     */
    static int poolSize(Environment environment) {
        int size = environment.getProperty(POOL_SIZE, int.class, 20);
        if (size < LEAST_POOL_SIZE) {
            throw new InvalidConfigurationPropertyValueException(
                    POOL_SIZE,
                    size,
                    "Set POSTGRES_CONNECTIONS to at least %d: queries of requests take three fifths of the connections, loads of entities two thirds of these."
                            .formatted(LEAST_POOL_SIZE));
        }
        return size;
    }

    /** In the place of Spring Boot's. */
    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
        return new SessionlessTransactions(dataSource);
    }

    @Bean
    PostgresBulkhead postgresBulkhead(
            StoreConstants internal, Environment environment, MeterRegistry registry) {
        var gate =
                new PostgresBulkhead(
                        internal.maxConcurrent(poolSize(environment)),
                        internal.queueCapacity(),
                        internal.maxWait());
        Gauge.builder("ovation.postgres.running", gate, PostgresBulkhead::running)
                .description("Questions that requests ask of Postgres now")
                .register(registry);
        Gauge.builder("ovation.postgres.waiting", gate, PostgresBulkhead::waiting)
                .description("Questions of requests that wait for others to be answered")
                .register(registry);
        return gate;
    }
}
