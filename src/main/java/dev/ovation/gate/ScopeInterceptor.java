package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.ScopeCheck;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.util.WebUtils;

/**
 * Demands the scope of the handler that Spring found, by whatever path it found it, and asks the
 * limits of the caller.
 */
final class ScopeInterceptor implements HandlerInterceptor {

    private final RateLimiter throttle;

    ScopeInterceptor(RateLimiter throttle) {
        this.throttle = throttle;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (HandlerScopes.isEndpoint(handler)) {
            // Its EndpointGuard asks for the scope after Spring has read the body, whatever its
            // size; no endpoint takes one.
            AuthenticationFilter.CallerAwareRequest known =
                    WebUtils.getNativeRequest(
                            request, AuthenticationFilter.CallerAwareRequest.class);
            if (known != null) {
                known.ignoreBody();
            }
            return true;
        }
        Scope scope = HandlerScopes.scope(handler);
        if (scope != null) {
            ScopeCheck.begin(request, scope);
            throttle.charge(request, response, scope);
            ScopeCheck.grant(request, scope);
            return true;
        }
        Principal who = Principal.of(request);
        if (!who.isAnonymous() && HttpMethod.OPTIONS.matches(request.getMethod())) {
            return true; // Spring answers with the methods of the path and calls no handler
        }
        throw Problems.forbidden(who, Scope.OPERATE);
    }
}
