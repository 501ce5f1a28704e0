package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.DocumentValue.quote;

import dev.ovation.entity.Ids;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A reaction, reaction set or namespace, by its fields. A missing or invalid field is null and a
 * violation with the item's id, because a request is often a single line.
 */
record ConfiguredItem(DocumentValue value, Map<String, DocumentValue> fields, String label) {

    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,8})(\\.[0-9]{1,9})?");

    static @Nullable ConfiguredItem of(DocumentValue value, String kind, List<String> names) {
        Map<String, DocumentValue> fields = value.mapping("a " + kind, names);
        if (fields == null) {
            return null;
        }
        DocumentValue id = fields.get("id");
        String label =
                id != null && id.node() instanceof ScalarNode scalar
                        ? kind + " " + quote(scalar.getValue())
                        : "a " + kind;
        return new ConfiguredItem(value, fields, label);
    }

    /** The name of a field for a message. */
    String name(String field) {
        return field + " of " + label;
    }

    /** Records a violation at a field, or at the whole item when the field is missing. */
    void problem(String field, String message) {
        fields.getOrDefault(field, value).problem(name(field) + " " + message);
    }

    int line(String field) {
        return fields.getOrDefault(field, value).line();
    }

    private @Nullable DocumentValue required(String field) {
        DocumentValue found = fields.get(field);
        if (found == null) {
            problem(field, "is missing");
        }
        return found;
    }

    /** Returns a required text, which must not be empty. */
    @Nullable String requiredText(String field, int maxBytes) {
        String text = required(field) == null ? null : optionalText(field, maxBytes);
        if (text != null && text.isEmpty()) {
            problem(field, "must not be empty");
            return null;
        }
        return text;
    }

    /** Returns an optional text. */
    @Nullable String optionalText(String field, int maxBytes) {
        DocumentValue found = fields.get(field);
        String text = found == null ? null : found.text(name(field));
        String problem = text == null ? null : Ids.problem(text, maxBytes);
        if (problem != null) {
            problem(field, problem);
            return null;
        }
        return text;
    }

    @Nullable List<DocumentValue> requiredList(String field) {
        DocumentValue found = required(field);
        return found == null ? null : found.list(name(field));
    }

    /** Returns a list; empty when it is absent. */
    @Nullable List<DocumentValue> optionalList(String field) {
        return fields.containsKey(field) ? requiredList(field) : List.of();
    }

    /** Returns a required integer of at least 0. */
    @Nullable Integer requiredCount(String field) {
        DocumentValue found = required(field);
        String text = found == null ? null : found.text(name(field));
        if (text == null) {
            return null;
        }
        if (!INTEGER.matcher(text).matches()) {
            problem(field, "must be an integer, not " + quote(text));
        } else if (text.startsWith("-")) {
            problem(field, "must not be negative: " + quote(text));
        } else if (text.length() > 10 || Long.parseLong(text) > Integer.MAX_VALUE) {
            problem(field, "must be at most %d: %s".formatted(Integer.MAX_VALUE, quote(text)));
        } else {
            return Integer.valueOf(text);
        }
        return null;
    }

    /** Returns an optional integer of at least 0. */
    @Nullable Integer optionalCount(String field) {
        return fields.containsKey(field) ? requiredCount(field) : null;
    }

    /** Returns an optional number, without trailing zeros. */
    @Nullable BigDecimal optionalNumber(String field) {
        DocumentValue found = fields.get(field);
        String text = found == null ? null : found.text(name(field));
        if (text == null) {
            return null;
        }
        if (!NUMBER.matcher(text).matches()) {
            String form = "must be a number with at most 9 digits before and after the point, not ";
            problem(field, form + quote(text));
            return null;
        }
        BigDecimal number = new BigDecimal(text).stripTrailingZeros();
        return number.scale() < 0 ? number.setScale(0) : number;
    }
}
