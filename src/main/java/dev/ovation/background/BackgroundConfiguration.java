package dev.ovation.background;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.TreeMap;

/** Puts background work together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BackgroundSettings.class)
class BackgroundConfiguration {

    /** The jobs that this instance takes part in. */
    record Jobs(List<BackgroundJob> all) {}

    @Bean
    Jobs backgroundJobs(
            ObjectProvider<BackgroundWork> works,
            BackgroundSettings settings,
            MeterRegistry registry) {
        return new Jobs(
                works.stream()
                        .filter(BackgroundWork::isEnabled)
                        .map(work -> new BackgroundJob(work, settings.behind(), registry))
                        .toList());
    }

    @Bean
    Background background(
            JdbcTemplate jdbc,
            PlatformTransactionManager transactions,
            Jobs jobs,
            BackgroundSettings settings) {
        var turns = new TurnTable(jdbc, new TransactionTemplate(transactions), settings.share());
        return new Background(turns, jobs.all());
    }

    /** Names what is behind. The service is up: nobody waits for it. */
    @Bean("backgroundHealthIndicator")
    HealthIndicator backgroundHealth(Jobs jobs) {
        return () -> {
            var behind = new TreeMap<String, Long>();
            jobs.all().stream()
                    .filter(BackgroundJob::isBehind)
                    .forEach(job -> behind.put(job.name(), (long) job.lag()));
            return Health.up().withDetail("behind_seconds", behind).build();
        };
    }
}
