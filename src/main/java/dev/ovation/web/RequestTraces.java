package dev.ovation.web;

import dev.ovation.trace.TraceParent;
import dev.ovation.trace.TraceSpan;
import dev.ovation.trace.Tracing;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.http.RequestSpan;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerMapping;

import java.util.Set;

/** Begins and ends the spans of HTTP requests, named as OpenTelemetry names those of servers. */
final class RequestTraces {

    private static final String ACTUATOR = "/actuator";
    private static final Set<String> PROBES = Set.of("/livez", "/readyz", "/ping");
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "QUERY");

    private static final int SERVER_ERROR = 500;

    private final Tracing tracing;

    RequestTraces(Tracing tracing) {
        this.tracing = tracing;
    }

    /**
     * Begins the span of a request of a direct route.
     *
     * @return null when the request is not sampled
     */
    @Nullable TraceSpan begin(HttpServletRequest request, String path) {
        return tracing.isOn() ? begin(request, path, true) : null;
    }

    /**
     * Begins the span of another request. A probe or a scrape is not sampled by chance.
     *
     * @return null when the request is not sampled
     */
    @Nullable TraceSpan begin(HttpServletRequest request) {
        if (!tracing.isOn()) {
            return null;
        }
        String path = request.getRequestURI();
        boolean byChance = !PROBES.contains(path) && !path.startsWith(ACTUATOR);
        return begin(request, null, byChance);
    }

    private @Nullable TraceSpan begin(
            HttpServletRequest request, @Nullable String path, boolean byChance) {
        String method = method(request);
        String parent = request.getHeader(TraceParent.HEADER);
        TraceSpan span = tracing.request(method, parent, byChance);
        if (span != null) {
            span.with("http.request.method", method).with("url.scheme", request.getScheme());
            span.with("ovation.request_id", RequestId.of(request));
            RequestSpan.keep(request, span);
            if (path != null) {
                route(span, method, path);
            }
        }
        return span;
    }

    /** The method is the client's text, of which only known ones name spans. */
    private static String method(HttpServletRequest request) {
        String method = request.getMethod();
        return METHODS.contains(method) ? method : "_OTHER";
    }

    private static void route(TraceSpan span, String method, String path) {
        span.with("http.route", path).named(method + " " + path);
    }

    /** Ends the span, if any, of a request of a direct route. */
    static void end(@Nullable TraceSpan span, int status) {
        if (span != null) {
            span.with("http.response.status_code", status);
            if (status >= SERVER_ERROR) {
                span.fail(Integer.toString(status));
            }
            span.end();
        }
    }

    /** Ends the span, if any, of another request. */
    static void end(@Nullable TraceSpan span, HttpServletRequest request, int status) {
        if (span != null
                && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                        instanceof String path) {
            route(span, method(request), path);
        }
        end(span, status);
    }
}
