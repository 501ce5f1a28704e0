package dev.ovation.web.guard;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/** Checks that the caller of a request holds the scope that its handler requires. */
public final class ScopeCheck {

    private static final String GRANTED = ScopeCheck.class.getName() + ".granted";
    private static final String NOTED = ScopeCheck.class.getName() + ".noted";

    private ScopeCheck() {}

    /**
     * Notes whether a request can change anything, by the scope of its handler. To be called before
     * anything refuses the request, because the problem of a write has an outcome.
     */
    public static void begin(HttpServletRequest request, Scope scope) {
        if (scope.isForReads() && !HttpMethod.GET.matches(request.getMethod())) {
            Problems.onlyReads(request);
        }
    }

    /**
     * Returns the caller, which holds the scope.
     *
     * @throws ProblemException 401 when the request has no credential, 403 otherwise
     */
    public static Principal demand(HttpServletRequest request, Scope scope) {
        Principal who = Principal.of(request);
        if (scope.isAudited()) {
            request.setAttribute(NOTED, scope);
        }
        if (!who.may(scope)) {
            throw Problems.forbidden(who, scope);
        }
        return who;
    }

    /** As {@link #demand}, and remembers it, for handlers within handlers. */
    public static void grant(HttpServletRequest request, Scope scope) {
        var _ = demand(request, scope);
        request.setAttribute(GRANTED, true);
    }

    /**
     * The {@linkplain Scope#isAudited audited} scope that was demanded of this request, or null.
     */
    public static @Nullable Scope noted(HttpServletRequest request) {
        return request.getAttribute(NOTED) instanceof Scope scope ? scope : null;
    }

    /** Whether a scope was demanded of this request and held. */
    public static boolean isGranted(HttpServletRequest request) {
        return request.getAttribute(GRANTED) != null;
    }

    /** Returns true if the answer must not reveal which paths and methods exist. */
    public static boolean isStranger(HttpServletRequest request) {
        return Principal.isStranger(request) && !isGranted(request);
    }
}
