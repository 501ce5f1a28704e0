package dev.ovation.testing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * Translates the document's own keywords to JSON Schema. They say what generators of clients lose
 * or misread in standard keywords:
 *
 * <ul>
 *   <li>{@code x-extensible-enum}: the values of this release; clients must expect more
 *   <li>{@code x-constraints}: a further schema that each value satisfies
 *   <li>{@code x-accepts-too}: schemas of values that requests may have instead
 * </ul>
 */
final class Extensions {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final boolean request;

    private Extensions(boolean request) {
        this.request = request;
    }

    /** The schemas in this part of the document, for values of requests. */
    static JsonNode ofRequests(JsonNode part) {
        return new Extensions(true).translated(part);
    }

    /** The schemas in this part of the document, for values of answers. */
    static JsonNode ofAnswers(JsonNode part) {
        return new Extensions(false).translated(part);
    }

    private JsonNode translated(JsonNode value) {
        if (value.isArray()) {
            ArrayNode copy = JSON.createArrayNode();
            value.forEach(each -> copy.add(translated(each)));
            return copy;
        }
        if (!value.isObject()) {
            return value;
        }
        ObjectNode copy = JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> each : value.properties()) {
            switch (each.getKey()) {
                case "x-extensible-enum" -> copy.set("enum", each.getValue());
                case "x-constraints" -> copy.putArray("allOf").add(each.getValue());
                default -> copy.set(each.getKey(), translated(each.getValue()));
            }
        }
        JsonNode alternatives = copy.remove("x-accepts-too");
        if (alternatives == null || !request) {
            return copy;
        }
        ObjectNode either = JSON.createObjectNode();
        either.putArray("anyOf").add(copy).addAll((ArrayNode) alternatives);
        return either;
    }
}
