package dev.ovation.web.http;

import dev.ovation.trace.TraceParent;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The id of a request: the client's {@code X-Request-Id}, or the trace id of its {@code
 * traceparent} (W3C Trace Context), or 32 random hexadecimal digits. A malformed value counts as
 * absent.
 */
public final class RequestId {

    /** The header in which a client gives it, and in which every answer of 400 or more has it. */
    public static final String HEADER = "X-Request-Id";

    /** The member of a problem, and the name in the MDC of each log line of the request. */
    public static final String NAME = "request_id";

    private static final String ATTRIBUTE = RequestId.class.getName();
    private static final int MOST_CHARACTERS = 128;
    private static final String BESIDE_LETTERS_AND_DIGITS = "._-:+/=@";

    private RequestId() {}

    /** Returns the id of a request, the same each time. */
    public static String of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof String known) {
            return known;
        }
        String id = find(request);
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    /** Returns the work for another thread, with the request id of this thread in its log lines. */
    public static Runnable carried(Runnable work) {
        String id = MDC.get(NAME);
        if (id == null) {
            return work;
        }
        return () -> {
            try (var _ = MDC.putCloseable(NAME, id)) {
                work.run();
            }
        };
    }

    private static String find(HttpServletRequest request) {
        return of(request.getHeader(HEADER), request.getHeader(TraceParent.HEADER));
    }

    /**
     * Returns the id of a call that has these headers; a random one where neither is well-formed.
     *
     * @param given header {@code X-Request-Id}, null for none
     * @param traceparent header of that name, null for none
     */
    public static String of(@Nullable String given, @Nullable String traceparent) {
        if (given != null && isWellFormed(given)) {
            return given;
        }
        return traceparent != null && TraceParent.isWellFormed(traceparent)
                ? TraceParent.traceId(traceparent)
                : random();
    }

    private static String random() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }

    private static boolean isWellFormed(String id) {
        if (id.isEmpty() || id.length() > MOST_CHARACTERS) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean allowed =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || BESIDE_LETTERS_AND_DIGITS.indexOf(c) >= 0;
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
