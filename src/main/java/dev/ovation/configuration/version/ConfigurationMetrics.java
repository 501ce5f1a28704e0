package dev.ovation.configuration.version;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

import java.util.Locale;
import java.util.function.Supplier;

/** The metrics of the configuration. */
@Component
public final class ConfigurationMetrics {

    private final MeterRegistry registry;

    public ConfigurationMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (Failure kind : Failure.values()) {
            counter(kind);
        }
    }

    /** Reasons for which a configuration did not come into force. */
    public enum Failure {
        /** The configuration is invalid. */
        INVALID,
        /** This program cannot read a stored version. */
        UNREADABLE,
        /** Postgres did not store or return it. */
        STORE,
        /** The version is stored, but not every partition received it. */
        UNANNOUNCED
    }

    /** Registers the version in force as a gauge. */
    public void version(Supplier<Number> version) {
        Gauge.builder("ovation.configuration.version", version)
                .description("Version of the configuration that this instance judges by")
                .register(registry);
    }

    /** Counts a configuration that did not come into force. */
    public void failed(Failure kind) {
        counter(kind).increment();
    }

    private Counter counter(Failure kind) {
        return Counter.builder("ovation.configuration.errors")
                .description("Configurations that did not come into force, by kind of error")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
