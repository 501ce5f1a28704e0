package dev.ovation.openapi;

import dev.ovation.testing.Instance.Exchange;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Ways to send the request of an operation. */
enum Way {
    /** As in the document; uses the fast path if there is one. */
    PLAIN(UnaryOperator.identity()),
    /** With an escape that prevents the fast path. */
    ESCAPED(request -> at(request, "/%" + hex(request) + request.path().substring(2))),
    /** With a parameter of the path, which is no part of its name. */
    PARAMETER(request -> at(request, request.path() + ";a=b")),
    /** By HTTP/2 without TLS. */
    HTTP_2(UnaryOperator.identity()),
    HEAD(request -> request.at("HEAD", request.path())),
    OPTIONS(request -> request.at("OPTIONS", request.path())),
    SLASH_BEHIND(request -> at(request, request.path() + "/")),
    SLASH_BEFORE(request -> at(request, "/" + request.path())),
    DOT(request -> at(request, "/." + request.path())),
    DOTS(request -> at(request, "/ping/.." + request.path())),
    ESCAPED_SLASH(request -> at(request, "/%2F" + request.path().substring(1)));

    /** Ways that reach the operation itself. */
    static final Set<Way> TO_THE_OPERATION = EnumSet.of(PLAIN, ESCAPED, PARAMETER, HTTP_2);

    private static final Set<Way> OF_EACH_PATH = EnumSet.of(PLAIN, HTTP_2, HEAD, OPTIONS);

    private final UnaryOperator<Request> change;

    Way(UnaryOperator<Request> change) {
        this.change = change;
    }

    /** Whether the path of the request can be changed in this way. */
    boolean fits(Request request) {
        return OF_EACH_PATH.contains(this) || request.path().length() > 1;
    }

    /** Sends the request in this way. */
    Exchange send(Request request, int port) {
        Request changed = change.apply(request);
        return this == HTTP_2 ? changed.sendByHttp2(port) : changed.sendTo(port);
    }

    private static Request at(Request request, String path) {
        return request.at(request.method(), path);
    }

    private static String hex(Request request) {
        return Integer.toHexString(request.path().charAt(1));
    }
}
