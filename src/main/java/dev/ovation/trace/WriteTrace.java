package dev.ovation.trace;

import dev.ovation.entity.Micros;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The spans of one write of a sampled request: one for each proposal, until its reply, and one for
 * each wait for a commit, from that reply.
 */
public final class WriteTrace {

    /** The write is the only one of its request. */
    public static final int ALONE = -1;

    private final TraceSpan request;
    private final int operation;
    private @Nullable TraceSpan proposal;
    private volatile long repliedAt;

    private WriteTrace(TraceSpan request, int operation) {
        this.request = request;
        this.operation = operation;
    }

    /**
     * Returns the trace of a write of the present thread's request.
     *
     * @param operation number of the write in its batch, from 0, or {@link #ALONE}
     * @return null when the request is not sampled
     */
    public static @Nullable WriteTrace of(int operation) {
        TraceSpan request = TraceSpan.current();
        return request == null ? null : new WriteTrace(request, operation);
    }

    /** Begins the span of a proposal, and returns its {@code traceparent}. */
    public String begin(String namespace, int p) {
        TraceSpan begun = request.child("propose").with("ovation.namespace", namespace);
        begun.with("ovation.partition", p);
        proposal = numbered(begun);
        return begun.traceParent();
    }

    /** Registers that a reply which ends the proposal has arrived; any thread may call it. */
    public void replied() {
        repliedAt = Micros.now();
    }

    /**
     * Sends the proposal that has begun, and ends its span with the reply that {@link #replied}
     * registers, or without one at the return. The span has the type of the last reply.
     */
    public <T> T sent(Supplier<T> sending) {
        TraceSpan span = Objects.requireNonNull(proposal);
        repliedAt = 0;
        try (var _ = TraceSpan.entered(span)) {
            T reply = sending.get();
            span.with("ovation.reply", reply.getClass().getSimpleName().toLowerCase(Locale.ROOT));
            return reply;
        } catch (RuntimeException e) {
            span.fail(e.getClass().getSimpleName());
            repliedAt = 0;
            throw e;
        } finally {
            if (repliedAt == 0) {
                replied();
            }
            span.end(repliedAt);
        }
    }

    /**
     * Adds the span of a wait that has ended, for the commit of an event.
     *
     * @param verdict a word for the result
     */
    public void awaited(long seq, String verdict) {
        TraceSpan span = request.child("commit", repliedAt).with("ovation.seq", seq);
        span.with("ovation.verdict", verdict);
        numbered(span).end();
    }

    private TraceSpan numbered(TraceSpan span) {
        return operation == ALONE ? span : span.with("ovation.operation", operation);
    }
}
