package dev.ovation.web;

import dev.ovation.trace.TraceSpan;
import dev.ovation.trace.Tracing;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.ScopeCheck;

import io.micrometer.core.instrument.MeterRegistry;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerMapping;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Filter behind authentication: answers requests of {@link DirectRoute direct routes} with the same
 * problems and metric as Spring MVC, and passes other requests on. It begins the traces of both.
 *
 * <p>Embedding applications: a request of a direct route passes no other filter, neither Spring's
 * (character encoding, request context, observation, security) nor those of the application, and no
 * interceptor. The authentication filter runs before it; this filter checks the scope and the rate
 * limits. Code that must see every request belongs in a valve or a proxy. A hot request counts in
 * {@code http.server.requests} when it is answered, but not in {@code http.server.requests.active}
 * before that. Paths are compared whole, so with a context path none is hot, and all go the
 * ordinary way.
 */
final class DirectRouteFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Map<String, Hot>> routes = new HashMap<>();
    private final transient ProblemResolver problems;
    private final transient RateLimiter throttle;
    private final transient RequestTraces traces;

    private record Hot(DirectRoute route, DirectRouteTimers times) {}

    DirectRouteFilter(
            List<DirectRoute> hot,
            ProblemResolver problems,
            RateLimiter throttle,
            MeterRegistry registry,
            Tracing tracing) {
        this.problems = problems;
        this.throttle = throttle;
        this.traces = new RequestTraces(tracing);
        for (DirectRoute route : hot) {
            var times = new DirectRouteTimers(registry, route.method(), route.path());
            routes.computeIfAbsent(route.path(), _ -> new HashMap<>())
                    .put(route.method(), new Hot(route, times));
        }
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain others)
            throws IOException, ServletException {
        Hot hot = find(request);
        if (hot == null) {
            pass(request, response, others);
            return;
        }
        TraceSpan span = traces.begin(request, hot.route.path());
        try (var _ = TraceSpan.entered(span)) {
            answer(hot, request, response);
        } finally {
            RequestTraces.end(span, response.getStatus());
        }
    }

    private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain others)
            throws IOException, ServletException {
        TraceSpan span = traces.begin(request);
        boolean failed = true;
        try (var _ = TraceSpan.entered(span)) {
            others.doFilter(request, response);
            failed = false;
        } finally {
            RequestTraces.end(
                    span,
                    request,
                    failed ? HttpServletResponse.SC_INTERNAL_SERVER_ERROR : response.getStatus());
        }
    }

    private void answer(Hot hot, HttpServletRequest request, HttpServletResponse response) {
        long start = System.nanoTime();
        try {
            ScopeCheck.begin(request, hot.route.scope());
            throttle.charge(request, response, hot.route.scope());
            var _ = ScopeCheck.demand(request, hot.route.scope());
            hot.route.handler().answer(request).writeTo(request, response);
        } catch (Throwable e) {
            request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, hot.route.path());
            problems.resolveException(request, response, null, exception(e));
        } finally {
            hot.times.record(response.getStatus(), System.nanoTime() - start);
        }
    }

    /** As the dispatcher does with errors. */
    private static Exception exception(Throwable e) {
        return e instanceof Exception exception
                ? exception
                : new ServletException("Handler dispatch failed: " + e, e);
    }

    private @Nullable Hot find(HttpServletRequest request) {
        Map<String, Hot> byMethod = routes.get(request.getRequestURI());
        return byMethod == null ? null : byMethod.get(request.getMethod());
    }
}
