package dev.ovation.openapi;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Schemas of the OpenAPI document as words and table rows of {@code docs/api.md}. */
final class ApiSchemas {

    private static final String SCHEMAS = "#/components/schemas/";

    private final Map<String, Object> tree;

    /** Reads components of this document. */
    ApiSchemas(Map<String, Object> tree) {
        this.tree = tree;
    }

    /** Returns a member of an object that must be a map; an empty map when it is absent. */
    @SuppressWarnings("unchecked") // YAML mappings
    static Map<String, Object> map(Map<String, Object> object, String name) {
        return (Map<String, Object>) object.getOrDefault(name, Map.of());
    }

    /** Returns a member of an object that must be a list of maps; empty when it is absent. */
    @SuppressWarnings("unchecked") // YAML sequences
    static List<Map<String, Object>> list(Map<String, Object> object, String name) {
        return (List<Map<String, Object>>) object.getOrDefault(name, List.of());
    }

    /** Returns the component that a reference names, or the object itself. */
    Map<String, Object> resolve(Map<String, Object> object) {
        if (!(object.get("$ref") instanceof String reference)) {
            return object;
        }
        Map<String, Object> found = tree;
        for (String step : reference.substring(2).split("/")) {
            found = map(found, step);
        }
        if (found.isEmpty()) {
            throw new IllegalStateException(reference + " is not defined");
        }
        return found;
    }

    /** Returns text for one cell of a table. */
    static String cell(@Nullable Object text) {
        return text == null
                ? ""
                : text.toString().strip().replaceAll("\\s+", " ").replace("|", "\\|");
    }

    /** Returns the anchor that GitHub gives a heading. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** Returns the type of a value in words: a link to a component, or form, bounds and default. */
    String type(Map<String, Object> schema) {
        String base = base(schema);
        Object ownDefault = schema.get("default");
        return ownDefault == null ? base : base + ", default `" + ownDefault + "`";
    }

    private String base(Map<String, Object> schema) {
        if (schema.get("$ref") instanceof String reference) {
            String name = reference.substring(SCHEMAS.length());
            return "[" + name + "](#" + anchor(name) + ")";
        }
        if (schema.containsKey("const")) {
            return "`" + schema.get("const") + "`";
        }
        if (values(schema) instanceof List<?> values) {
            return String.join(", ", values.stream().map(value -> "`" + value + "`").toList());
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            List<Map<String, Object>> choices = list(schema, choice);
            if (!choices.isEmpty()) {
                return String.join(" or ", choices.stream().map(this::type).toList());
            }
        }
        List<String> names = new ArrayList<>();
        if (schema.get("type") instanceof List<?> several) {
            several.forEach(one -> names.add(named(one.toString(), schema)));
        } else if (schema.containsKey("type")) {
            names.add(named(schema.get("type").toString(), schema));
        }
        return String.join(" or ", names);
    }

    /** The values of an enumeration, or those of this release; null when others are allowed. */
    private static @Nullable Object values(Map<String, Object> schema) {
        return schema.getOrDefault("enum", schema.get("x-extensible-enum"));
    }

    private String named(String type, Map<String, Object> schema) {
        return switch (type) {
            case "array" ->
                    "list of "
                            + type(map(schema, "items"))
                            + (schema.containsKey("maxItems")
                                    ? ", at most " + schema.get("maxItems")
                                    : "");
            case "integer", "number" -> type + bounds(schema);
            default -> type;
        };
    }

    private static String bounds(Map<String, Object> schema) {
        Object least = schema.get("minimum");
        Object most = schema.get("maximum");
        if (least == null) {
            return "";
        }
        return most == null ? ", at least " + least : ", " + least + " to " + most;
    }

    /** Adds a row for each member of an object, also of objects and lists within it. */
    void members(Map<String, Object> schema, String prefix, List<String> rows) {
        List<?> required = (List<?>) schema.getOrDefault("required", List.of());
        Map<String, Object> properties = map(schema, "properties");
        for (String name : properties.keySet()) {
            Map<String, Object> member = map(properties, name);
            String path = prefix + name;
            rows.add(
                    "| `%s` | %s | %s | %s |"
                            .formatted(
                                    path,
                                    type(member),
                                    required.contains(name) ? "yes" : "no",
                                    cell(member.get("description"))));
            within(member, path, rows);
        }
    }

    private void within(Map<String, Object> schema, String path, List<String> rows) {
        members(schema, path + ".", rows);
        if (schema.containsKey("items")) {
            within(map(schema, "items"), path + "[]", rows);
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            list(schema, choice).forEach(one -> within(one, path, rows));
        }
    }

    /** Returns the problem codes that a schema allows, in order. */
    List<String> codes(Map<String, Object> schema) {
        Map<String, Object> whole = resolve(schema);
        var codes = new ArrayList<String>();
        for (Map<String, Object> level : List.of(schema, whole)) {
            Map<String, Object> code = map(map(level, "properties"), "code");
            if (values(code) instanceof List<?> several) {
                several.forEach(one -> codes.add(one.toString()));
            }
        }
        return codes.stream().distinct().toList();
    }
}
