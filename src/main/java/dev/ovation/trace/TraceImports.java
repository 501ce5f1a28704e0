package dev.ovation.trace;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

import java.util.Set;

/**
 * Leaves out what Spring Boot configures of OpenTelemetry beyond the traces of this module: traces
 * of each observation, logs, and metrics. Without an endpoint it leaves out all of it, so that no
 * thread, no queue and no connection of it exists.
 */
final class TraceImports implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final String TRACING = "org.springframework.boot.micrometer.tracing.";
    private static final String OPENTELEMETRY = "org.springframework.boot.opentelemetry.";

    private static final Set<String> USED =
            Set.of(
                    OPENTELEMETRY + "autoconfigure.OpenTelemetrySdkAutoConfiguration",
                    TRACING + "opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
                    TRACING + "opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration",
                    TRACING + "autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration");

    private boolean on;

    /** Reads the settings once: Spring asks hundreds of times during a start. */
    @Override
    public void setEnvironment(Environment environment) {
        on = TraceSettings.areOn(environment);
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean[] kept = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            kept[i] = name == null || !isOfTraces(name) || (on && USED.contains(name));
        }
        return kept;
    }

    /** Spring asks for the classes that an auto-configuration imports, too. */
    private static boolean isOfTraces(String name) {
        return (name.startsWith(TRACING) || name.startsWith(OPENTELEMETRY))
                && name.endsWith("AutoConfiguration");
    }
}
