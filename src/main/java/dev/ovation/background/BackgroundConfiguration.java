package dev.ovation.background;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Creates the beans of background work. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BackgroundSettings.class)
class BackgroundConfiguration {

    /** Delay after which a background job counts as behind. */
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    /** Returns the jobs that this instance executes. */
    record BackgroundJobs(List<BackgroundJob> all) {}

    @Bean
    BackgroundJobs backgroundJobs(ObjectProvider<BackgroundWork> works, MeterRegistry registry) {
        return new BackgroundJobs(
                works.stream()
                        .filter(BackgroundWork::isEnabled)
                        .map(work -> new BackgroundJob(work, MAX_DELAY, registry))
                        .toList());
    }

    @Bean
    Background background(
            JdbcTemplate jdbc,
            TransactionTemplate transactions,
            BackgroundJobs jobs,
            BackgroundSettings settings) {
        var turns = new TurnTable(jdbc, transactions, settings.share());
        return new Background(turns, jobs.all());
    }

    /** Names the jobs that are behind. The health stays up, because no request waits for them. */
    @Bean("backgroundHealthIndicator")
    HealthIndicator backgroundHealth(BackgroundJobs jobs) {
        return () -> {
            var behind = new TreeMap<String, Long>();
            jobs.all().stream()
                    .filter(BackgroundJob::isBehind)
                    .forEach(job -> behind.put(job.name(), (long) job.lag()));
            return Health.up().withDetail("behind_seconds", behind).build();
        };
    }
}
