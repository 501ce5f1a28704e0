package dev.ovation.web;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** The one rule of what an id may be. */
public final class Ids {

    /** The longest entity, user or reaction id, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private Ids() {}

    /** Whether this has the form of a namespace's id. */
    public static boolean isNamespace(String id) {
        return NAMESPACE.matcher(id).matches();
    }

    /**
     * Returns a namespace's id, or an empty string after noting why the value is none.
     *
     * @param value null when the field is absent
     */
    public static String namespace(String field, @Nullable String value, Violations violations) {
        if (value == null) {
            violations.add(field, "is missing");
        } else if (!isNamespace(value)) {
            violations.add(field, "must be 1 to 64 letters, digits, dots, underscores or hyphens");
        } else {
            return value;
        }
        return "";
    }

    /**
     * Returns an entity's, user's or reaction's id, or an empty string after noting why the value
     * is none.
     *
     * @param value null when the field is absent
     */
    public static String id(String field, @Nullable String value, Violations violations) {
        String violation = value == null ? "is missing" : violation(value);
        if (violation != null) {
            violations.add(field, violation);
        }
        return value == null || violation != null ? "" : value;
    }

    /**
     * What keeps this from being the id of an entity, user or reaction, as the rest of a sentence
     * that begins with its name; null when nothing does.
     */
    public static @Nullable String violation(String id) {
        if (id.isEmpty()) {
            return "must not be empty";
        }
        int bytes = 0;
        for (int i = 0; i < id.length(); ) {
            int point = id.codePointAt(i);
            if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) {
                return "must not contain control characters";
            }
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                return "must not contain an unpaired surrogate";
            }
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            i += Character.charCount(point);
        }
        return bytes > MAX_BYTES ? "must not be longer than 256 bytes in UTF-8" : null;
    }
}
