package dev.ovation.reaction.attribute;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Attributes of a request in the form that {@code constraints.lua} reads. */
public final class Attributes {

    private static final char SEPARATOR = '\u001f';

    private Attributes() {}

    /**
     * Joins names and values in turn. A value begins with a letter for its type; a list is the
     * number of its texts, and the texts.
     *
     * @param values whole numbers as {@code Long}, texts, booleans and lists of texts, without
     *     control characters
     */
    public static String encoded(Map<String, ?> values) {
        var text = new StringBuilder();
        new TreeMap<>(values)
                .forEach(
                        (name, value) -> {
                            text.append(text.isEmpty() ? "" : SEPARATOR).append(name);
                            text.append(SEPARATOR).append(encoded(value));
                        });
        return text.toString();
    }

    private static String encoded(Object value) {
        return switch (value) {
            case Long number -> "i" + number;
            case String text -> "s" + text;
            case Boolean flag -> flag ? "bt" : "bf";
            case List<?> list -> {
                var text = new StringBuilder("l").append(list.size());
                list.forEach(each -> text.append(SEPARATOR).append('s').append(each));
                yield text.toString();
            }
            default -> throw new IllegalArgumentException("no attribute: " + value);
        };
    }
}
