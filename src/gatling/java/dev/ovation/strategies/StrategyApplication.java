package dev.ovation.strategies;

import dev.ovation.access.Principal;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.reaction.PostgresReactions;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.Unlimited;

import io.micrometer.core.instrument.MeterRegistry;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Serves reactions by one of the strategies, on the product's HTTP stack and settings. Settings of
 * its own: {@code strategies.name}; {@code strategies.pool}, connections to Postgres; {@code
 * strategies.refresh}, the period of refreshes by {@code async-join}; {@code strategies.report}, a
 * file for the final report on the age of counts. It has no stereotype, so that the component scan
 * of the product in tests ignores it.
 */
@EnableAutoConfiguration(
        exclude = {DataRedisAutoConfiguration.class, FlywayAutoConfiguration.class},
        excludeName = {
            "dev.ovation.embedded.EmbeddedAutoConfiguration",
            "dev.ovation.embedded.EmbeddedPostgresAutoConfiguration",
            "dev.ovation.embedded.EmbeddedRedisAutoConfiguration"
        })
@ComponentScan("dev.ovation.web")
@Import({PostgresReactions.class, RulesController.class})
public class StrategyApplication {

    /**
     * Overrides of the product's settings. Its pool serves a relay that must not hang. Here
     * requests wait for a connection as long as their clients do, and a refresh may take long.
     */
    private static final List<String> SETTINGS =
            List.of(
                    "--spring.datasource.hikari.maximum-pool-size=${strategies.pool:20}",
                    "--spring.datasource.hikari.connection-timeout=60000",
                    "--spring.datasource.hikari.connection-init-sql=",
                    "--spring.datasource.hikari.data-source-properties.socketTimeout=0",
                    "--spring.datasource.hikari.data-source-properties.options=",
                    "--management.endpoint.health.validate-group-membership=false");

    public static void main(String[] args) {
        run(List.of(args));
    }

    /** Starts it; settings as on its command line. */
    static ConfigurableApplicationContext run(List<String> arguments) {
        var all = new ArrayList<>(SETTINGS);
        all.addAll(arguments);
        return new SpringApplicationBuilder(StrategyApplication.class)
                .run(all.toArray(String[]::new));
    }

    @Bean
    RulesInForce rules(@Value("${ovation.config-dir}") Path directory) {
        var loaded = ConfigurationFiles.read(directory);
        return new RulesInForce(
                1, "files", loaded.hash(), Instant.now(), loaded.configuration(), Map.of());
    }

    /** Replaces the product's authentication filter: every caller has all rights. */
    @Bean
    FilterRegistrationBean<Filter> open() {
        Filter open =
                (request, response, others) -> {
                    Principal.open().enter((HttpServletRequest) request);
                    others.doFilter(request, response);
                };
        var filter = new FilterRegistrationBean<>(open);
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /** No quotas. */
    @Bean
    RateLimiter rateLimiter() {
        return new Unlimited();
    }

    /** No bound applies, because no caller has a credential. */
    @Bean
    CallerBulkhead writesOfCallers() {
        return CallerBulkhead.share("writes", Integer.MAX_VALUE);
    }

    @Bean
    EntityLock entityLock(JdbcTemplate jdbc) {
        return new EntityLock(jdbc);
    }

    @Bean
    Staleness staleness(MeterRegistry registry) {
        return new Staleness(registry);
    }

    @Bean
    Strategy strategy(
            @Value("${strategies.name}") String name, JdbcTemplate jdbc, Staleness staleness) {
        return Strategies.named(name, jdbc, staleness);
    }

    @Bean
    @ConditionalOnProperty(name = "strategies.name", havingValue = "async-join")
    Refresher refresher(
            Strategy strategy,
            Staleness staleness,
            @Value("${strategies.refresh:30s}") Duration every,
            @Value("${strategies.report:}") String report) {
        return new Refresher((AsyncJoin) strategy, staleness, every, report);
    }
}
