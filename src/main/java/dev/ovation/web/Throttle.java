package dev.ovation.web;

import dev.ovation.access.Scope;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Bounds how many requests a caller may send in a time. */
@FunctionalInterface
public interface Throttle {

    /** No bound, where the application has none. */
    Throttle NONE = (_, _, _) -> {};

    /**
     * Counts a request whose caller holds the scope that its handler demands, before the handler
     * runs and before the body is read.
     *
     * @param response gets the headers that tell the limits, whatever is answered
     * @throws ProblemException 429 {@code rate-limited} when the caller is at a limit
     */
    void charge(HttpServletRequest request, HttpServletResponse response, Scope scope);
}
