package dev.ovation.web.http;

import dev.ovation.trace.TraceSpan;

import jakarta.servlet.http.HttpServletRequest;

/** Keeps the span of a traced request for the log lines that follow its end. */
public final class RequestSpan {

    private static final String NAME = RequestSpan.class.getName();

    private RequestSpan() {}

    /** Keeps the span of a request. */
    public static void keep(HttpServletRequest request, TraceSpan span) {
        request.setAttribute(NAME, span);
    }

    /** Makes the span of a request, if any, that of the log lines of the present thread. */
    public static TraceSpan.Part entered(HttpServletRequest request) {
        return TraceSpan.entered((TraceSpan) request.getAttribute(NAME));
    }
}
