package dev.ovation.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.mock.env.MockEnvironment;

import java.util.ArrayList;
import java.util.List;

/** Auto-configurations of Spring Boot on the class path that pass the filter. */
class TraceImportsTest {

    private static final List<String> ALL =
            ImportCandidates.load(AutoConfiguration.class, null).getCandidates();

    private final MockEnvironment settings = new MockEnvironment();

    private List<String> kept() {
        var filter = new TraceImports();
        filter.setEnvironment(settings);
        boolean[] matches = filter.match(ALL.toArray(String[]::new), null);
        var kept = new ArrayList<String>();
        for (int i = 0; i < matches.length; i++) {
            if (matches[i]) {
                kept.add(ALL.get(i));
            }
        }
        return kept;
    }

    private static boolean isOfTraces(String name) {
        return name.contains("opentelemetry") || name.contains(".tracing.");
    }

    @Test
    void withoutAnEndpointNothingOfThemIsLeft() {
        assertThat(ALL).anyMatch(TraceImportsTest::isOfTraces);
        assertThat(kept())
                .containsExactlyElementsOf(ALL.stream().filter(name -> !isOfTraces(name)).toList());
    }

    @Test
    void withAnEndpointTheExporterAndExemplarsAreLeft() {
        settings.setProperty(TraceSettings.ENDPOINT, "http://collector:4318/v1/traces");

        assertThat(kept().stream().filter(TraceImportsTest::isOfTraces))
                .extracting(name -> name.substring(name.lastIndexOf('.') + 1))
                .containsExactlyInAnyOrder(
                        "OpenTelemetrySdkAutoConfiguration",
                        "OpenTelemetryTracingAutoConfiguration",
                        "OtlpTracingAutoConfiguration",
                        "PrometheusExemplarsAutoConfiguration");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.opentelemetry.enabled",
                "management.tracing.export.enabled",
                "management.tracing.export.otlp.enabled"
            })
    void eachSwitchOfSpringBootSwitchesOff(String name) {
        settings.setProperty(TraceSettings.ENDPOINT, "http://collector:4318/v1/traces");
        settings.setProperty(name, "false");

        assertThat(kept()).noneMatch(TraceImportsTest::isOfTraces);
    }
}
