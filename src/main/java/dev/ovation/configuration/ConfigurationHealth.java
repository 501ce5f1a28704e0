package dev.ovation.configuration;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Reports the rules in force, and whether the files differed when they were last read. */
@Component("configurationHealthIndicator")
final class ConfigurationHealth implements HealthIndicator {

    private final CurrentRules rules;
    private final ConfigurationUpdater changes;

    ConfigurationHealth(CurrentRules rules, ConfigurationUpdater changes) {
        this.changes = changes;
        this.rules = rules;
    }

    @Override
    public Health health() {
        var current = rules.current();
        return Health.up()
                .withDetail("version", current.version())
                .withDetail("source", current.source())
                .withDetail("files_differ", changes.filesDiffer())
                .build();
    }
}
