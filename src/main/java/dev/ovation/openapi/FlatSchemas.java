package dev.ovation.openapi;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Replaces a {@code $ref} that has members beside it by the schema that it names together with
 * these members: OpenAPI 3.1 allows such members, and generators of clients lose them.
 */
final class FlatSchemas {

    private static final String REFERENCE = "$ref";

    private final Map<String, Object> tree;

    private FlatSchemas(Map<String, Object> tree) {
        this.tree = tree;
    }

    /**
     * A copy of the document in which each reference stands alone.
     *
     * @throws IllegalStateException when a reference with members beside it names nothing
     */
    static Map<String, Object> flat(Map<String, Object> tree) {
        return members(new FlatSchemas(tree).simplified(tree));
    }

    /** The element that a reference such as {@code #/components/schemas/Id} names. */
    static Map<String, Object> named(Map<String, Object> tree, String reference) {
        Object found = tree;
        for (String step : reference.substring("#/".length()).split("/", -1)) {
            found = found instanceof Map<?, ?> map ? map.get(step) : null;
        }
        if (found == null) {
            throw new IllegalStateException(reference + " is not defined");
        }
        return members(found);
    }

    private Object simplified(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(this::simplified).toList();
        }
        if (!(value instanceof Map)) {
            return value;
        }
        Map<String, Object> map = members(value);
        if (map.size() > 1 && map.get(REFERENCE) instanceof String reference) {
            return simplified(extended(named(tree, reference), map));
        }
        var copy = new LinkedHashMap<String, Object>();
        map.forEach((name, member) -> copy.put(name, simplified(member)));
        return copy;
    }

    /** Adds members: maps are merged, lists of required members joined, other values replaced. */
    private Map<String, Object> extended(Map<String, Object> base, Map<String, Object> more) {
        var whole = new LinkedHashMap<>(base);
        more.forEach(
                (name, value) -> {
                    Object there = whole.get(name);
                    if (there instanceof Map && value instanceof Map) {
                        whole.put(name, extended(members(there), members(value)));
                    } else if (there instanceof List<?> list && name.equals("required")) {
                        var all = new LinkedHashSet<Object>(list);
                        all.addAll((List<?>) value);
                        whole.put(name, List.copyOf(all));
                    } else if (!name.equals(REFERENCE)) {
                        whole.put(name, value);
                    }
                });
        return whole;
    }

    @SuppressWarnings("unchecked") // of a document, whose keys are texts
    private static Map<String, Object> members(Object map) {
        return (Map<String, Object>) map;
    }
}
