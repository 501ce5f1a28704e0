package dev.ovation.trace;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import java.net.URI;
import java.util.Set;

/** The settings of traces, which have the names of Spring Boot. */
final class TraceSettings {

    /** URL of a collector; traces are off without one. */
    static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

    /** Part of the requests without a {@code traceparent} that are sampled. */
    static final String SHARE = "management.tracing.sampling.probability";

    /** Spring Boot's switches, with which it would make spans and send none. */
    private static final Set<String> SWITCHES =
            Set.of(
                    "management.opentelemetry.enabled",
                    "management.tracing.export.enabled",
                    "management.tracing.export.otlp.enabled");

    private static final Set<String> SCHEMES = Set.of("http", "https");

    private TraceSettings() {}

    /** Returns whether traces are sent. */
    static boolean areOn(Environment settings) {
        return StringUtils.hasText(settings.getProperty(ENDPOINT))
                && SWITCHES.stream()
                        .allMatch(each -> settings.getProperty(each, Boolean.class, true));
    }

    /**
     * Returns the part of the requests without a {@code traceparent} that are sampled, 0 to 1.
     *
     * @throws InvalidConfigurationPropertyValueException when it is no such number, or the endpoint
     *     no URL
     */
    static double share(Environment settings) {
        String endpoint = settings.getProperty(ENDPOINT);
        if (StringUtils.hasText(endpoint) && !isUrl(endpoint)) {
            throw new InvalidConfigurationPropertyValueException(
                    ENDPOINT,
                    endpoint,
                    "It must be the URL of a collector, such as http://collector:4318/v1/traces.");
        }
        String given = settings.getRequiredProperty(SHARE);
        double share = number(given);
        if (!(share >= 0 && share <= 1)) {
            throw new InvalidConfigurationPropertyValueException(
                    SHARE, given, "It must be a number from 0 to 1.");
        }
        return share;
    }

    private static boolean isUrl(String given) {
        try {
            URI url = URI.create(given);
            return url.getScheme() != null
                    && SCHEMES.contains(url.getScheme())
                    && url.getHost() != null;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static double number(String given) {
        try {
            return Double.parseDouble(given);
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }
}
