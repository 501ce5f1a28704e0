package dev.ovation.web.tomcat;

import dev.ovation.web.http.HttpAnswer;

import org.apache.coyote.Adapter;
import org.apache.coyote.ErrorState;
import org.apache.coyote.Response;
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
 * parts of a head, which a client can send byte by byte; here the whole head has a bound. A
 * connection may be kept after a 400, which Tomcat closes.
 */
final class PacedProcessor extends Http11Processor {

    /** The note of a request that is the processor of its connection. */
    static final int NOTE = 20;

    /**
     * The status of a 400 while Tomcat decides whether the connection is kept. No answer has it
     * otherwise.
     */
    private static final int KEPT_BAD_REQUEST = 499;

    private static final int BAD_REQUEST = 400;
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace;
    private final Deadline deadline;
    private final EmptyLines emptyLines;
    private final PacedBody body;

    /** The head that was found late last, by its deadline, and when it was found so. */
    private long lateUntil;

    private long lateSince;

    /** Whether Tomcat's next decision to close the connection is about an answer that keeps it. */
    private boolean kept;

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
        request.setNote(NOTE, this);
    }

    /**
     * Runs what writes a complete answer. After a 400 the connection is kept unless something other
     * than the status closes it: Tomcat does not take this 400 for its own, which means that the
     * bytes of the connection are not understood.
     */
    void keepingConnection(HttpAnswer.BodyWriter answer) throws IOException {
        if (response.getStatus() != BAD_REQUEST
                || response.isCommitted()
                || request.isExceptionPresent()
                || getErrorState().isError()) {
            answer.write();
            return;
        }
        response.setStatus(KEPT_BAD_REQUEST);
        kept = true;
        try {
            answer.write();
        } finally {
            restoreStatus(response);
        }
    }

    /** Gives an answer that keeps the connection its status, before it is written. */
    static void restoreStatus(Response response) {
        if (response.getStatus() == KEPT_BAD_REQUEST) {
            response.setStatus(BAD_REQUEST);
        }
    }

    /** Tomcat decides about the connection once more when the answer is complete. */
    @Override
    protected void setErrorState(ErrorState state, @Nullable Throwable cause) {
        boolean byStatus = kept && state == ErrorState.CLOSE_CLEAN && cause == null;
        kept = false;
        if (!byStatus) {
            super.setErrorState(state, cause);
        }
    }

    @Override
    public SocketState service(SocketWrapperBase<?> socket) throws IOException {
        deadline.use(socket.getSocket() instanceof NioChannel nio ? nio.getIOChannel() : null);
        long requests = body.requests();
        kept = false;
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
