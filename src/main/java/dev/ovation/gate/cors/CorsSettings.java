package dev.ovation.gate.cors;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which pages of other origins may read answers.
 *
 * @param allowedOrigins origins as browsers write them, such as {@code https://app.example.com}, or
 *     {@code *} for all; empty for none
 * @param allowCredentials whether browsers may send cookies, which the service itself ignores
 * @param maxAge how long a browser may keep the answer to a preflight
 */
@ConfigurationProperties("ovation.cors")
public record CorsSettings(
        @DefaultValue List<String> allowedOrigins,
        @DefaultValue("false") boolean allowCredentials,
        @DefaultValue("1h") Duration maxAge) {

    static final String ALL = "*";

    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[^\\s/?#@*,]+");
    private static final Pattern DEFAULT_PORT = Pattern.compile("http://.*:80|https://.*:443");

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException when a value is no origin, when {@code *} stands beside
     *     {@code allowCredentials}, or when {@code maxAge} is negative
     */
    public CorsSettings {
        allowedOrigins = List.copyOf(allowedOrigins);
        for (String origin : allowedOrigins) {
            if (!origin.equals(ALL) && !isOrigin(origin.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        ("ovation.cors.allowed-origins: \"%s\" must be * or scheme://host:port, without"
                                        + " a default port and a path, as https://app.example.com")
                                .formatted(origin));
            }
        }
        if (allowCredentials && allowedOrigins.contains(ALL)) {
            throw new IllegalArgumentException(
                    "ovation.cors.allow-credentials: must be false while"
                            + " ovation.cors.allowed-origins is *");
        }
        if (maxAge.isNegative()) {
            throw new IllegalArgumentException("ovation.cors.max-age: must not be negative");
        }
    }

    private static boolean isOrigin(String text) {
        return ORIGIN.matcher(text).matches() && !DEFAULT_PORT.matcher(text).matches();
    }
}
