package dev.ovation.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Span of a sampled request, of a part of it, or of work that such requests share. A request that
 * is not sampled has none: then the static methods do nothing, and allocate nothing.
 */
public final class TraceSpan {

    private static final ContextKey<TraceSpan> KEY = ContextKey.named("ovation-span");
    private static final Part NONE = () -> {};

    /**
     * Whether there was ever a span. Without one no thread looks for its own, because the look
     * alone would make an entry in each thread.
     */
    private static final AtomicBoolean ANY = new AtomicBoolean();

    private final Tracer tracer;
    private final Span span;

    TraceSpan(Tracer tracer, Span span) {
        this.tracer = tracer;
        this.span = span;
        if (!ANY.getPlain()) {
            ANY.set(true);
        }
    }

    /** Time during which a span is that of the present thread. */
    @FunctionalInterface
    public interface Part extends AutoCloseable {
        @Override
        void close();
    }

    /** Returns the span of the present thread; null for none. */
    public static @Nullable TraceSpan current() {
        return ANY.getPlain() ? Context.current().get(KEY) : null;
    }

    /** Begins a span below that of the present thread, which ends with the part. */
    public static Part part(String name) {
        TraceSpan above = current();
        return above == null ? NONE : above.child(name).whole();
    }

    /** Makes a span, if any, that of the present thread; closing the part does not end it. */
    public static Part entered(@Nullable TraceSpan span) {
        return span == null ? NONE : span.enter()::close;
    }

    /**
     * Makes the span of another process that of log lines and exemplars of the present thread.
     *
     * @param traceparent its name, null for none
     */
    @SuppressWarnings("MustBeClosedChecker") // the part closes it
    public static Part enteredRemote(@Nullable String traceparent) {
        if (traceparent == null || !TraceParent.isWellFormed(traceparent)) {
            return NONE;
        }
        return Span.wrap(TraceParent.context(traceparent)).makeCurrent()::close;
    }

    /** Returns the work for another thread, which has the span of this thread there. */
    public static Runnable carried(Runnable work) {
        return current() == null ? work : Context.current().wrap(work);
    }

    /**
     * Begins a span of work that requests share, such as one call of a server: the beginning of a
     * trace of its own. It links to the spans that share it, and they link to it.
     *
     * @param spans at least one
     * @param items number of all items of the work, also of those for requests that are not sampled
     */
    public static TraceSpan shared(String name, List<TraceSpan> spans, int items) {
        Set<TraceSpan> sampled = new LinkedHashSet<>(spans);
        Tracer tracer = spans.getFirst().tracer;
        SpanBuilder builder = tracer.spanBuilder(name).setNoParent().setSpanKind(SpanKind.CLIENT);
        sampled.forEach(each -> builder.addLink(each.span.getSpanContext()));
        var shared = new TraceSpan(tracer, builder.startSpan());
        sampled.forEach(each -> each.span.addLink(shared.span.getSpanContext()));
        return shared.with("ovation.items", items);
    }

    /** Begins a span below this one. */
    public TraceSpan child(String name) {
        return new TraceSpan(tracer, below(name).startSpan());
    }

    /**
     * Begins a span below this one.
     *
     * @param since the time at which it began, in microseconds since 1970
     */
    public TraceSpan child(String name, long since) {
        return new TraceSpan(
                tracer, below(name).setStartTimestamp(since, TimeUnit.MICROSECONDS).startSpan());
    }

    private SpanBuilder below(String name) {
        return tracer.spanBuilder(name).setParent(Context.root().with(span));
    }

    /** Makes this span that of the present thread until the part is closed, which ends it. */
    private Part whole() {
        Scope scope = enter();
        return () -> {
            scope.close();
            span.end();
        };
    }

    @SuppressWarnings("MustBeClosedChecker") // the part closes it
    private Scope enter() {
        return Context.current().with(span).with(KEY, this).makeCurrent();
    }

    /** Names the span, when its name was not known at its beginning. */
    public void named(String name) {
        span.updateName(name);
    }

    /** Adds an attribute, which must not name a user or an entity. */
    public TraceSpan with(String name, String value) {
        span.setAttribute(name, value);
        return this;
    }

    /** Adds an attribute. */
    public TraceSpan with(String name, long value) {
        span.setAttribute(name, value);
        return this;
    }

    /**
     * Marks the span as failed.
     *
     * @param kind a word for the kind of the failure, without ids
     */
    public void fail(String kind) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute("error.type", kind);
    }

    /** Ends the span. */
    public void end() {
        span.end();
    }

    /** Ends the span at a time in microseconds since 1970. */
    public void end(long at) {
        span.end(at, TimeUnit.MICROSECONDS);
    }

    /** Returns the value of {@code traceparent} that names this span. */
    public String traceParent() {
        return TraceParent.of(span.getSpanContext());
    }
}
