package dev.ovation.store.replica;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.store.postgres.PostgresBulkhead;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.StringUtils;

import java.time.Duration;

/** Creates the beans that read from a replica, where the settings name one. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ReplicaSettings.class)
class ReplicaConfiguration {

    private static final String URL = "ovation.postgres.replica.url";
    private static final String POOL = "spring.datasource.hikari";
    private static final int LEAST_CONNECTIONS = 4;

    @Bean
    ReplicaReads replicaReads(
            JdbcTemplate primary,
            PlatformTransactionManager transactions,
            PostgresBulkhead gate,
            ObjectProvider<Replica> replica,
            MeterRegistry registry) {
        @Nullable Replica named = replica.getIfAvailable();
        var metrics = new ReplicaMetrics(named, registry);
        return new ReplicaReads(primary, transactions, gate, named, metrics);
    }

    /** The beans beside those for every service. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(ReplicaNamed.class)
    static class NamedReplica {

        @Bean
        Replica replica(
                ReplicaSettings settings, JdbcConnectionDetails primary, Environment environment) {
            Duration most = settings.maxStaleness();
            return new Replica(pool(settings.url(), primary, environment), new Beats(most), most);
        }

        @Bean
        ReplicaWatch replicaWatch(JdbcTemplate jdbc, Replica replica, ReplicaSettings settings) {
            return new ReplicaWatch(new BeatTable(jdbc), replica, settings.beat());
        }

        /** Up without a replica, too: the primary answers then. */
        @Bean("replicaHealthIndicator")
        HealthIndicator replicaHealth(ReplicaWatch watch, Replica replica) {
            return () -> {
                var health =
                        Health.up()
                                .withDetail("read", replica.isUsable())
                                .withDetail("staleness_ms", replica.staleness() / 1_000_000)
                                .withDetail("max_staleness_ms", replica.maxStaleness().toMillis());
                watch.unreadSince().ifPresent(at -> health.withDetail("since", at.toString()));
                watch.unreadBecause().ifPresent(text -> health.withDetail("reason", text));
                return health.build();
            };
        }
    }

    /**
     * Creates the connections, with the settings of those to the primary and half their number.
     * They are no bean, so that metrics and alerts of the pool are those of the primary.
     */
    private static HikariDataSource pool(
            String url, JdbcConnectionDetails primary, Environment environment) {
        HikariDataSource pool =
                Binder.get(environment).bindOrCreate(POOL, Bindable.of(HikariDataSource.class));
        pool.setPoolName("replica");
        pool.setJdbcUrl(url);
        pool.setUsername(primary.getUsername());
        pool.setPassword(primary.getPassword());
        pool.setMaximumPoolSize(Math.max(LEAST_CONNECTIONS, pool.getMaximumPoolSize() / 2));
        pool.setMinimumIdle(1);
        pool.setReadOnly(true);
        return pool;
    }

    private static final class ReplicaNamed implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return StringUtils.hasText(context.getEnvironment().getProperty(URL));
        }
    }
}
