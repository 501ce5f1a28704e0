package dev.ovation.web;

import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;

import jakarta.servlet.http.HttpServletRequest;

import java.io.IOException;

/**
 * A method of a controller that is also reached by a short way: behind the gate, before all other
 * filters and without the dispatcher, because at its rate each layer costs. It must be mapped in
 * the ordinary way as well, which whatever is not exactly this method and path still takes.
 *
 * @param method of HTTP, in capitals
 * @param path the whole path, with nothing to decode
 * @param scope what its caller must hold, the same as on the ordinary way
 */
public record DirectRoute(String method, String path, Scope scope, Handler handler) {

    /** Answers a request, or throws what the ordinary way would turn into a problem. */
    @FunctionalInterface
    public interface Handler {
        HttpAnswer answer(HttpServletRequest request) throws IOException;
    }
}
