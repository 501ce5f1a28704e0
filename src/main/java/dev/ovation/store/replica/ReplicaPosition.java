package dev.ovation.store.replica;

import java.util.regex.Pattern;

/**
 * A lower bound of what a read must include: all that was committed before an instance sent a beat.
 *
 * @param instance id of the instance
 * @param beat number of its beat
 */
public record ReplicaPosition(String instance, long beat) {

    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16})-([0-9]{1,18})");

    /**
     * Reads the form of {@link #toString}.
     *
     * @throws IllegalArgumentException when the text is none
     */
    public static ReplicaPosition of(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no position");
        }
        return new ReplicaPosition(parts.group(1), Long.parseLong(parts.group(2)));
    }

    /** Returns a text without control characters. */
    @Override
    public String toString() {
        return instance + "-" + beat;
    }
}
