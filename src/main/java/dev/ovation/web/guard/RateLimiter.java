package dev.ovation.web.guard;

import dev.ovation.access.Scope;
import dev.ovation.web.problem.ProblemException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Rate limits of callers, as seen by handlers. The service does not start without one: no caller
 * may go unlimited because a bean is missing.
 */
public interface RateLimiter {

    /**
     * Counts a request, before the scope of its handler is demanded and before the body is read. A
     * request whose caller lacks the scope is counted too.
     *
     * @param response gets the RateLimit headers, whatever the status
     * @param scope that the handler demands
     * @throws ProblemException 429 {@code rate-limited} when the caller is at a limit
     */
    void charge(HttpServletRequest request, HttpServletResponse response, Scope scope);

    /**
     * Counts a token that has to be judged, or a credential that is not accepted, by the address
     * that presents it. Requests without a credential have a limit of their own.
     *
     * @param address literal address of the caller
     * @throws ProblemException 429 {@code rate-limited} when the address is at its limit
     */
    void attempt(String address);

    /** Takes back the {@link #attempt} of a token that was accepted or could not be judged. */
    void takeBack(String address);
}
