package dev.ovation.entity;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/** The forms of ids, the same for every source. */
public final class Ids {

    /**
     * Greatest length of the id of an entity, a user, a reaction or a reaction set, in bytes of
     * UTF-8.
     */
    public static final int MAX_BYTES = 256;

    private static final int MAX_NAMESPACE = 64;
    private static final int MAX_BYTES_OF_A_CHAR = 3;
    private static final int ZERO_WIDTH_JOINER = 0x200d;

    private Ids() {}

    /** Returns whether the text can be the id of a namespace. */
    public static boolean isNamespace(String id) {
        if (id.isEmpty() || id.length() > MAX_NAMESPACE) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            if (!isOfNamespace(id.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfNamespace(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    /**
     * Returns the defect of the id of an entity, a user, a reaction or a reaction set, as the
     * second half of a sentence ("must not be empty"); null for a valid id.
     */
    public static @Nullable String problem(String id) {
        return id.isEmpty() ? "must not be empty" : problem(id, MAX_BYTES);
    }

    /** Returns the defect of a text that may also be empty; null for a valid text. */
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
        return isLonger(text, maxBytes) ? "must not be longer than " + maxBytes + " bytes" : null;
    }

    /**
     * Returns the text for a line of a log. A backslash, a control character, every invisible
     * character and every character that changes the direction of others (U+2028, U+202E) become
     * {@code \\uXXXX}. The joiner of emoji (U+200D) stays.
     */
    public static String printable(String text) {
        var line = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        point -> {
                            if (point == '\\' || isUnseen(point)) {
                                for (char c : Character.toChars(point)) {
                                    line.append("\\u%04x".formatted((int) c));
                                }
                            } else {
                                line.appendCodePoint(point);
                            }
                        });
        return line.toString();
    }

    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            case Character.FORMAT -> point != ZERO_WIDTH_JOINER;
            default -> false;
        };
    }

    /**
     * Returns whether the text is too long. A char takes one to three bytes, so the number of chars
     * decides clear cases without encoding.
     */
    private static boolean isLonger(String text, int maxBytes) {
        return text.length() * MAX_BYTES_OF_A_CHAR > maxBytes
                && (text.length() > maxBytes
                        || text.getBytes(StandardCharsets.UTF_8).length > maxBytes);
    }
}
