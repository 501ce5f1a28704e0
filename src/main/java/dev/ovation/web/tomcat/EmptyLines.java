package dev.ovation.web.tomcat;

import org.apache.tomcat.util.net.SocketWrapperBase;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * Which connections of a port send empty lines and no requests. A client may send some before a
 * request, by RFC 9112, section 2.2.
 */
final class EmptyLines {

    private static final int MOST = 2;

    private final Map<SocketWrapperBase<?>, Integer> sent = new WeakHashMap<>();

    /** So that a port without such connections takes no lock. */
    private volatile boolean any;

    /** A connection sent a request. */
    void request(SocketWrapperBase<?> connection) {
        if (any) {
            synchronized (sent) {
                sent.remove(connection);
                any = !sent.isEmpty();
            }
        }
    }

    /**
     * A connection sent bytes that began no request.
     *
     * @return whether it did so more often in a row than a client has reason to
     */
    boolean areTooMany(SocketWrapperBase<?> connection) {
        synchronized (sent) {
            any = true;
            return sent.merge(connection, 1, Integer::sum) > MOST;
        }
    }
}
