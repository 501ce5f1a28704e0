package dev.ovation.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;

/** Reads and writes values of {@code traceparent}, a header of W3C Trace Context. */
public final class TraceParent {

    /** The name of the header. */
    public static final String HEADER = "traceparent";

    /** The characters of a value of version 00; later versions may add to them. */
    private static final int LENGTH = 55;

    private static final int TRACE_FROM = 3;
    private static final int TRACE_TO = 35;
    private static final int PARENT_TO = 52;

    private TraceParent() {}

    /** Returns whether a value has the form of the standard. */
    public static boolean isWellFormed(String value) {
        return value.length() >= LENGTH
                && isVersion(value)
                && value.charAt(TRACE_FROM - 1) == '-'
                && isHexAndNotZero(value, TRACE_FROM, TRACE_TO)
                && value.charAt(TRACE_TO) == '-'
                && isHexAndNotZero(value, TRACE_TO + 1, PARENT_TO)
                && value.charAt(PARENT_TO) == '-'
                && isHex(value, PARENT_TO + 1, LENGTH);
    }

    /** Returns the trace id of a well-formed value, 32 hexadecimal digits. */
    public static String traceId(String wellFormed) {
        return wellFormed.substring(TRACE_FROM, TRACE_TO);
    }

    /** Returns whether a well-formed value says that its caller records the trace. */
    static boolean isSampled(String wellFormed) {
        return (Character.digit(wellFormed.charAt(LENGTH - 1), 16) & 1) == 1;
    }

    /** Returns the span that a well-formed value names. */
    static SpanContext context(String wellFormed) {
        return SpanContext.createFromRemoteParent(
                traceId(wellFormed),
                wellFormed.substring(TRACE_TO + 1, PARENT_TO),
                TraceFlags.fromHex(wellFormed, PARENT_TO + 1),
                TraceState.getDefault());
    }

    /** Returns the value that names a span. */
    static String of(SpanContext span) {
        return "00-"
                + span.getTraceId()
                + "-"
                + span.getSpanId()
                + "-"
                + span.getTraceFlags().asHex();
    }

    /** Version 00 has no further fields; later versions may add fields after a hyphen. */
    private static boolean isVersion(String value) {
        boolean ends = value.length() == LENGTH;
        return isHex(value, 0, TRACE_FROM - 1)
                && !value.startsWith("ff")
                && (ends || (!value.startsWith("00") && value.charAt(LENGTH) == '-'));
    }

    private static boolean isHexAndNotZero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return isHex(text, from, to);
            }
        }
        return false;
    }

    /** In small letters, as the standard demands. */
    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
