package dev.ovation.web.guard;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;

/** The parts of a call of any protocol that the gate and the limits read. */
public interface IncomingCall {

    /** Returns the literal address of the caller. */
    String address();

    /** Returns the host that the caller addressed, without a port; null when it named none. */
    @Nullable String host();

    /** Returns the values of all headers of this name; each value is made when it is read. */
    Iterator<String> headers(String name);

    /** Returns the first header of this name; null when there is none. */
    default @Nullable String header(String name) {
        Iterator<String> values = headers(name);
        return values.hasNext() ? values.next() : null;
    }

    /** Returns what a request of HTTP has. */
    static IncomingCall of(HttpServletRequest request) {
        return new IncomingCall() {
            @Override
            public String address() {
                return request.getRemoteAddr();
            }

            @Override
            public @Nullable String host() {
                return request.getServerName();
            }

            @Override
            public @Nullable String header(String name) {
                return request.getHeader(name);
            }

            @Override
            public Iterator<String> headers(String name) {
                return request.getHeaders(name).asIterator();
            }
        };
    }
}
