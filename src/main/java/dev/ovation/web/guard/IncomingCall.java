package dev.ovation.web.guard;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Enumeration;

/** The parts of a call of any protocol that the gate and the limits read. */
public interface IncomingCall {

    /** Returns the literal address of the caller. */
    String address();

    /** Returns the host that the caller addressed, without a port; null when it named none. */
    @Nullable String host();

    /** Returns the first header of this name; null when there is none. */
    @Nullable String header(String name);

    /** Returns whether several headers have this name. */
    boolean isRepeated(String name);

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
            public boolean isRepeated(String name) {
                Enumeration<String> values = request.getHeaders(name);
                if (!values.hasMoreElements()) {
                    return false;
                }
                var _ = values.nextElement();
                return values.hasMoreElements();
            }
        };
    }
}
