package dev.ovation.entity;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The forms of ids, the same wherever they come from. */
public final class Ids {

    /** Of an id of an entity, a user, a reaction or a reaction set, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private Ids() {}

    /** Whether this can be the id of a namespace. */
    public static boolean isNamespace(String id) {
        return NAMESPACE.matcher(id).matches();
    }

    /**
     * What is wrong with the id of an entity, a user, a reaction or a reaction set, as the second
     * half of a sentence ("must not be empty"); null when nothing is.
     */
    public static @Nullable String problem(String id) {
        return id.isEmpty() ? "must not be empty" : problem(id, MAX_BYTES);
    }

    /** What is wrong with a text that may also be empty; null when nothing is. */
    public static @Nullable String problem(String text, int maxBytes) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return "must not contain the control character U+%04X".formatted((int) c);
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return "must not contain the unpaired surrogate U+%04X".formatted((int) c);
            }
        }
        // A char takes at least one byte: what is far too long is not encoded first.
        return text.length() > maxBytes || text.getBytes(StandardCharsets.UTF_8).length > maxBytes
                ? "must not be longer than " + maxBytes + " bytes"
                : null;
    }
}
