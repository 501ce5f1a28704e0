package dev.ovation.web.tomcat;

import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Reads HTTP/1.1 of clients that have to keep the {@link Pace}. Tomcat bounds the time between two
 * parts of a head, which a client can send byte by byte; here the whole head has a bound.
 */
final class PacedProcessor extends Http11Processor {

    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace;
    private final Deadline deadline;
    private final EmptyLines emptyLines;
    private final PacedBody body;

    /** The head that was found late last, by its deadline, and when it was found so. */
    private long lateUntil;

    private long lateSince;

    /**
     * Reads the requests of one connection at a time.
     *
     * @param emptyLines those of all connections of the port
     */
    PacedProcessor(
            AbstractHttp11Protocol<?> protocol,
            Adapter adapter,
            Pace pace,
            Deadline deadline,
            EmptyLines emptyLines) {
        super(protocol, adapter);
        this.pace = pace;
        this.deadline = deadline;
        this.emptyLines = emptyLines;
        this.body = new PacedBody(request.getInputBuffer(), pace, deadline, System::nanoTime);
        request.setInputBuffer(body);
    }

    @Override
    public SocketState service(SocketWrapperBase<?> socket) throws IOException {
        deadline.use(socket.getSocket() instanceof NioChannel nio ? nio.getIOChannel() : null);
        long requests = body.requests();
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
        return state == SocketState.OPEN && isIdle(socket, requests) ? SocketState.CLOSED : state;
    }

    /** The rest of what was read, for HTTP/2, to which the connection changes now. */
    @Override
    public @Nullable ByteBuffer getLeftoverInput() {
        ByteBuffer leftover = super.getLeftoverInput();
        if (getUpgradeToken() == null
                && socketWrapper.getSocket() instanceof PacedChannel channel) {
            channel.beginHttp2(leftover);
        }
        return leftover;
    }

    /** Bytes came that began no request, more often in a row than a client has reason to. */
    private boolean isIdle(SocketWrapperBase<?> socket, long requests) {
        if (body.requests() == requests) {
            return emptyLines.areTooMany(socket);
        }
        emptyLines.request(socket);
        return false;
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
