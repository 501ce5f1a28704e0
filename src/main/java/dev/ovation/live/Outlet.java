package dev.ovation.live;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * Writes the events of one stream without blocking: a thread that has an event calls {@link #pump},
 * and the container does when a slow connection takes more. Between two events no thread is held.
 */
final class Outlet implements WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(Outlet.class);

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final EventSource source;
    private boolean begun;
    private boolean ended;
    private boolean unflushed;

    /** The events of a stream. */
    interface EventSource {

        /** Returns the next event, or null if there is none now. */
        byte @Nullable [] next();

        /** Returns whether the stream ends when {@link #next} has no more. */
        boolean isOver();

        /** The stream has ended, for whatever reason. */
        void ended();
    }

    private Outlet(AsyncContext context, ServletOutputStream out, EventSource source) {
        this.context = context;
        this.out = out;
        this.source = source;
    }

    /** Begins to write; the first event is written after the caller has returned. */
    static Outlet begin(
            HttpServletRequest request, HttpServletResponse response, EventSource source)
            throws IOException {
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        var outlet = new Outlet(context, response.getOutputStream(), source);
        context.addListener(outlet);
        outlet.out.setWriteListener(outlet);
        return outlet;
    }

    @Override
    public void onWritePossible() {
        synchronized (this) {
            begun = true;
        }
        pump();
    }

    /** Writes what the source has and the connection takes. */
    void pump() {
        boolean failed = false;
        synchronized (this) {
            if (!begun || ended) {
                return;
            }
            try {
                while (!ended && out.isReady() && step()) {
                    // more
                }
            } catch (IOException | IllegalStateException e) {
                LOG.debug("A watcher has gone", e);
                ended = true;
                failed = true;
            }
        }
        if (failed) {
            source.ended();
        }
    }

    /** Returns whether there may be another step. */
    private boolean step() throws IOException {
        byte[] next = source.next();
        if (next != null) {
            out.write(next);
            unflushed = true;
            return true;
        }
        if (unflushed) {
            unflushed = false;
            out.flush();
            return true;
        }
        if (source.isOver()) {
            ended = true;
            context.complete();
        }
        return false;
    }

    /** The container recycles the response after this call, so no other thread may write then. */
    private void close() {
        synchronized (this) {
            ended = true;
        }
        source.ended();
    }

    @Override
    public void onError(Throwable failure) {
        close();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        close();
    }

    @Override
    public void onError(AsyncEvent event) {
        close();
        try {
            event.getAsyncContext().complete();
        } catch (IllegalStateException e) {
            LOG.debug("The container has ended the stream already", e);
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
