package dev.ovation.gate.cors;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which pages of other origins may read answers.
 *
 * @param allowedOrigins Origins as browsers write them, such as https://app.example.com, or * for
 *     all; empty: none.
 * @param allowCredentials Whether browsers may send cookies, which the service itself ignores.
 */
@ConfigurationProperties("ovation.cors")
public record CorsSettings(
        @DefaultValue List<String> allowedOrigins,
        @DefaultValue("false") boolean allowCredentials) {

    static final String ALL = "*";

    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[^\\s/?#@*,]+");
    private static final Pattern DEFAULT_PORT = Pattern.compile("http://.*:80|https://.*:443");

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException when a value is no origin, or when {@code *} stands beside
     *     {@code allowCredentials}
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
    }

    private static boolean isOrigin(String text) {
        return ORIGIN.matcher(text).matches() && !DEFAULT_PORT.matcher(text).matches();
    }
}
