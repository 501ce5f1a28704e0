package dev.ovation.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Begins traces, and decides which requests are sampled. Off by default. */
public final class Tracing {

    /** No request is sampled. */
    public static final Tracing OFF = new Tracing(null, 0);

    private final @Nullable Tracer tracer;
    private final double share;

    /**
     * Creates the beginnings of traces.
     *
     * @param tracer records each span that it is asked for; null: no request is sampled
     * @param share part of the requests without a {@code traceparent} that are sampled, 0 to 1
     */
    public Tracing(@Nullable Tracer tracer, double share) {
        this.tracer = tracer;
        this.share = share;
    }

    /** Returns whether requests may be sampled. */
    public boolean isOn() {
        return tracer != null;
    }

    /**
     * Begins the span of a request. A request with a {@code traceparent} is sampled if its caller
     * records it, and its span is below that of the caller.
     *
     * @param traceparent header of that name, null for none; an ill-formed one counts as none
     * @param byChance whether a request without a {@code traceparent} may be sampled
     * @return null when the request is not sampled
     */
    public @Nullable TraceSpan request(
            String name, @Nullable String traceparent, boolean byChance) {
        if (tracer == null) {
            return null;
        }
        Context above = Context.root();
        if (traceparent != null && TraceParent.isWellFormed(traceparent)) {
            if (!TraceParent.isSampled(traceparent)) {
                return null;
            }
            above = above.with(Span.wrap(TraceParent.context(traceparent)));
        } else if (!byChance || ThreadLocalRandom.current().nextDouble() >= share) {
            return null;
        }
        SpanBuilder builder = tracer.spanBuilder(name).setParent(above);
        return new TraceSpan(tracer, builder.setSpanKind(SpanKind.SERVER).startSpan());
    }

    /**
     * Begins a span of work for requests of any instance: the beginning of a trace of its own,
     * which links to them.
     *
     * @param since the time at which it began, in microseconds since 1970
     * @param requests values of {@code traceparent}
     * @return null when there is no request
     */
    public @Nullable TraceSpan shared(String name, long since, Collection<String> requests) {
        if (tracer == null || requests.isEmpty()) {
            return null;
        }
        SpanBuilder builder =
                tracer.spanBuilder(name)
                        .setNoParent()
                        .setSpanKind(SpanKind.CONSUMER)
                        .setStartTimestamp(since, TimeUnit.MICROSECONDS);
        for (String each : requests) {
            if (TraceParent.isWellFormed(each)) {
                builder.addLink(TraceParent.context(each));
            }
        }
        return new TraceSpan(tracer, builder.startSpan());
    }
}
