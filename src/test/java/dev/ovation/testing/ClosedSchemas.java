package dev.ovation.testing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * Closes schemas. They are open because answers may gain members. A closed object allows only the
 * members that its schema names.
 */
final class ClosedSchemas {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> CHOICES = List.of("anyOf", "oneOf", "allOf");

    private final ApiDocument document;

    ClosedSchemas(ApiDocument document) {
        this.document = document;
    }

    /** Closes the schema of a whole value. */
    JsonNode whole(JsonNode schema) {
        ObjectNode closed = inside(schema);
        return namesMembers(schema) ? closed.put("unevaluatedProperties", false) : closed;
    }

    /** Closes only the members of a schema that other schemas extend. */
    ObjectNode inside(JsonNode schema) {
        var copy = JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> each : schema.properties()) {
            copy.set(each.getKey(), keyword(each.getKey(), each.getValue()));
        }
        return copy;
    }

    private JsonNode keyword(String name, JsonNode value) {
        if (name.equals("properties")) {
            var members = JSON.createObjectNode();
            value.forEachEntry((member, schema) -> members.set(member, whole(schema)));
            return members;
        }
        if (CHOICES.contains(name)) {
            ArrayNode choices = JSON.createArrayNode();
            value.forEach(each -> choices.add(inside(each)));
            return choices;
        }
        boolean schema = name.equals("items") || name.equals("additionalProperties");
        return schema && value.isObject() ? whole(value) : value;
    }

    private boolean namesMembers(JsonNode schema) {
        return schema.has("properties")
                || schema.has("$ref") && namesMembers(document.resolve(schema))
                || CHOICES.stream()
                        .flatMap(each -> schema.path(each).valueStream())
                        .anyMatch(this::namesMembers);
    }
}
