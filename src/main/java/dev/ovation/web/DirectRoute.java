package dev.ovation.web;

import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;

import jakarta.servlet.http.HttpServletRequest;

import java.io.IOException;

/**
 * Route that skips Spring MVC: the filter behind authentication calls the handler, because each
 * layer costs at this rate. Spring MVC must map the method as well: a request with another method
 * or path takes that way.
 *
 * @param method of HTTP, in capitals
 * @param path the whole path, with nothing to decode
 * @param scope scope that the caller must hold, the same as in the mapping of Spring MVC
 */
public record DirectRoute(String method, String path, Scope scope, Handler handler) {

    /** Answers a request, or throws what the ordinary way would turn into a problem. */
    @FunctionalInterface
    public interface Handler {
        HttpAnswer answer(HttpServletRequest request) throws IOException;
    }
}
