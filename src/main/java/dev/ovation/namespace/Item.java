package dev.ovation.namespace;

import static dev.ovation.namespace.Value.quote;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;

import java.util.List;
import java.util.Map;

/**
 * One of the reactions, reaction sets or namespaces, by its fields. A field that is missing or
 * isn't what it should be is null, and the problem is noted, with the item's id: a request is often
 * a single line.
 */
record Item(Value value, Map<String, Value> fields, String label) {

    static @Nullable Item of(Value value, String kind, List<String> names) {
        Map<String, Value> fields = value.mapping("a " + kind, names);
        if (fields == null) {
            return null;
        }
        Value id = fields.get("id");
        String label =
                id != null && id.node() instanceof ScalarNode scalar
                        ? kind + " " + quote(scalar.getValue())
                        : "a " + kind;
        return new Item(value, fields, label);
    }

    /** The name of a field for a message. */
    String name(String field) {
        return field + " of " + label;
    }

    /** Notes what is wrong with a field, or with the whole item when the field isn't there. */
    void problem(String field, String message) {
        fields.getOrDefault(field, value).problem(name(field) + " " + message);
    }

    private @Nullable Value required(String field) {
        Value found = fields.get(field);
        if (found == null) {
            problem(field, "is missing");
        }
        return found;
    }

    /** A text that must be there and must not be empty. */
    @Nullable String requiredText(String field, int maxBytes) {
        String text = required(field) == null ? null : optionalText(field, maxBytes);
        if (text != null && text.isEmpty()) {
            problem(field, "must not be empty");
            return null;
        }
        return text;
    }

    /** A text that may be absent or empty. */
    @Nullable String optionalText(String field, int maxBytes) {
        Value found = fields.get(field);
        String text = found == null ? null : found.text(name(field));
        String problem = text == null ? null : Ids.problem(text, maxBytes);
        if (problem != null) {
            problem(field, problem);
            return null;
        }
        return text;
    }

    @Nullable List<Value> requiredList(String field) {
        Value found = required(field);
        return found == null ? null : found.list(name(field));
    }

    /** A list that is empty when it is absent. */
    @Nullable List<Value> optionalList(String field) {
        return fields.containsKey(field) ? requiredList(field) : List.of();
    }
}
