package dev.ovation.trace;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import java.util.Objects;
import java.util.Set;

/**
 * Leaves out what Spring Boot configures of OpenTelemetry beyond the traces of this module: traces
 * of each observation, logs, and metrics. Without an endpoint it leaves out all of it, so that no
 * thread, no queue and no connection of it exists.
 */
final class TraceImports implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

    private static final String TRACING = "org.springframework.boot.micrometer.tracing.";
    private static final String OPENTELEMETRY = "org.springframework.boot.opentelemetry.";

    private static final Set<String> USED =
            Set.of(
                    OPENTELEMETRY + "autoconfigure.OpenTelemetrySdkAutoConfiguration",
                    TRACING + "opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
                    TRACING + "opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration",
                    TRACING + "autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration");

    /** Spring Boot's switches, with which it would make spans and send none. */
    private static final Set<String> SWITCHES =
            Set.of(
                    "management.opentelemetry.enabled",
                    "management.tracing.export.enabled",
                    "management.tracing.export.otlp.enabled");

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean on = isOn(Objects.requireNonNull(environment));
        boolean[] kept = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            kept[i] = name == null || !isOfTraces(name) || (on && USED.contains(name));
        }
        return kept;
    }

    private static boolean isOn(Environment settings) {
        return StringUtils.hasText(settings.getProperty(ENDPOINT))
                && SWITCHES.stream()
                        .allMatch(each -> settings.getProperty(each, Boolean.class, true));
    }

    /** Spring asks for the classes that an auto-configuration imports, too. */
    private static boolean isOfTraces(String name) {
        return (name.startsWith(TRACING) || name.startsWith(OPENTELEMETRY))
                && name.endsWith("AutoConfiguration");
    }
}
