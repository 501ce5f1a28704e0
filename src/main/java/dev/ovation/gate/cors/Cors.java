package dev.ovation.gate.cors;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Allows pages of the configured origins to send requests and to read the answers. A request of
 * another origin is served as one that no browser sent, without these headers: the browser then
 * keeps the answer from the page, and sends nothing that needs a preflight.
 */
public final class Cors {

    /** For a port whose answers no page of another origin may read. */
    public static final Cors NONE = new Cors(null);

    /** Time that a browser keeps the answer to a preflight. */
    private static final Duration MAX_AGE = Duration.ofHours(1);

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");

    /** Headers that the service reads, and those that tracing adds. */
    private static final List<String> ALLOWED =
            List.of(
                    "Authorization",
                    "Content-Encoding",
                    "Content-Type",
                    "Idempotency-Key",
                    "If-Match",
                    "If-None-Match",
                    "Last-Event-ID",
                    "Prefer",
                    "X-Api-Key",
                    "X-Request-Id",
                    "baggage",
                    "traceparent",
                    "tracestate");

    /** Headers of answers beside those that each page may read. */
    private static final List<String> EXPOSED =
            List.of(
                    "Accept-Encoding",
                    "Age",
                    "Allow",
                    "ETag",
                    "Idempotency-Replayed",
                    "Location",
                    "Preference-Applied",
                    "RateLimit",
                    "RateLimit-Policy",
                    "Retry-After",
                    "WWW-Authenticate",
                    "X-Request-Id");

    private final @Nullable CorsConfiguration configuration;
    private final DefaultCorsProcessor processor = new Silent();

    private Cors(@Nullable CorsConfiguration configuration) {
        this.configuration = configuration;
    }

    /** Follows these settings; without an allowed origin the result is {@link #NONE}. */
    public static Cors of(CorsSettings settings) {
        if (settings.allowedOrigins().isEmpty()) {
            return NONE;
        }
        var configuration = new CorsConfiguration();
        configuration.setAllowedOrigins(settings.allowedOrigins());
        configuration.setAllowedMethods(METHODS);
        configuration.setAllowedHeaders(ALLOWED);
        configuration.setExposedHeaders(EXPOSED);
        configuration.setAllowCredentials(settings.allowCredentials());
        configuration.setMaxAge(MAX_AGE);
        return new Cors(configuration);
    }

    /** Whether pages of this origin may read answers. */
    public boolean allows(String origin) {
        return configuration != null && configuration.checkOrigin(origin) != null;
    }

    /** Whether pages of all origins may read answers. */
    public boolean allowsAll() {
        return allows(CorsSettings.ALL);
    }

    /**
     * Sets the CORS headers of an answer.
     *
     * @return whether the request was an allowed preflight, whose answer is complete now
     * @throws IOException when the answer cannot be written
     */
    public boolean answers(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (configuration == null) {
            return false;
        }
        // A cache must not give a page an answer that was made for another origin, or for none.
        response.addHeader("Vary", "Origin");
        String origin = request.getHeader("Origin");
        return origin != null
                && allows(origin)
                && processor.processRequest(configuration, request, response)
                && CorsUtils.isPreFlightRequest(request);
    }

    /** Spring's processor without its refusal: the request continues to authentication. */
    private static final class Silent extends DefaultCorsProcessor {

        @Override
        protected void rejectRequest(ServerHttpResponse response) {
            // The browser misses the headers.
        }
    }
}
