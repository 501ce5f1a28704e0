package dev.ovation.strategies;

import dev.ovation.access.Principal;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.reaction.PostgresReactions;
import dev.ovation.rules.reader.ConfigurationFiles;

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
 * strategies.refresh}, how often {@code async-join} refreshes; {@code strategies.report}, a file in
 * which it tells at its end how old counts were. Without a stereotype, so that the product, which
 * scans these packages in tests, passes it over.
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
     * Where the product's settings do not fit: its pool serves a relay that must not hang; here
     * requests wait for a connection as long as their clients do, and a refresh takes its time.
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

    /** In place of the product's gate: everybody may do everything. */
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
