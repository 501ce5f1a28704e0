package dev.ovation.web.tomcat;

import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Reads HTTP/1.1 of clients that have to keep the {@link Pace}. Tomcat bounds the time between two
 * parts of a head, which a client can send byte by byte; here the whole head has a bound.
 */
final class PacedProcessor extends Http11Processor {

    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace;
    private final Deadline deadline;

    /** The head that was found late last, by its deadline, and when it was found so. */
    private long lateUntil;

    private long lateSince;

    PacedProcessor(
            AbstractHttp11Protocol<?> protocol, Adapter adapter, Pace pace, Deadline deadline) {
        super(protocol, adapter);
        this.pace = pace;
        this.deadline = deadline;
        request.setInputBuffer(
                new PacedBody(request.getInputBuffer(), pace, deadline, System::nanoTime));
    }

    @Override
    public SocketState service(SocketWrapperBase<?> socket) throws IOException {
        deadline.use(socket.getSocket() instanceof NioChannel nio ? nio.getIOChannel() : null);
        SocketState state;
        try {
            state = super.service(socket);
        } finally {
            deadline.clear();
        }
        boolean isInHead = state == SocketState.LONG && !isAsync();
        if (isInHead) {
            long until = request.getStartTimeNanos() + pace.head().toNanos();
            if (isLate(until)) {
                return SocketState.CLOSED;
            }
            var _ = deadline.begin(until);
        }
        return state;
    }

    /** A second after it was found late: this process may have stood still until then. */
    private boolean isLate(long until) {
        long now = System.nanoTime();
        if (now - until < 0) {
            return false;
        }
        if (lateUntil != until) {
            lateUntil = until;
            lateSince = now;
        }
        return now - lateSince > LATE_NANOS;
    }
}
