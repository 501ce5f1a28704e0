package dev.ovation.reaction.attribute;

import dev.ovation.access.Principal;
import dev.ovation.entity.Ids;
import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.web.problem.RequestViolations;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the attributes of a write: an object of texts, numbers, booleans and lists of texts. */
public final class AttributeReader {

    private static final int MOST = 32;

    private AttributeReader() {}

    /**
     * Reads attributes, and takes the claims of the caller's token.
     *
     * @param attributes null for none
     * @param field name of the member, for violations
     */
    public static RequestAttributes read(
            @Nullable JsonNode attributes,
            String field,
            Principal who,
            RequestViolations violations) {
        if (attributes == null && who.claims().isEmpty()) {
            return RequestAttributes.NONE;
        }
        var body = new HashMap<String, Object>();
        if (attributes != null && !attributes.isObject()) {
            violations.add(field, "must be an object");
        } else if (attributes != null && attributes.size() > MOST) {
            violations.add(field, "must not have more than %d members".formatted(MOST));
        } else if (attributes != null) {
            for (Map.Entry<String, JsonNode> each : attributes.properties()) {
                if (!each.getValue().isNull()) {
                    Object value = value(each.getValue());
                    if (value == null) {
                        violations.add(
                                field + "." + each.getKey(),
                                "must be a text, a whole number, a boolean or a list of at most %d texts"
                                        .formatted(AttributeType.MOST_TEXTS));
                    } else {
                        body.put(each.getKey(), value);
                    }
                }
            }
        }
        return new RequestAttributes(body, who.claims());
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isNumber()) {
            return node.canConvertToLong() ? node.longValue() : null;
        }
        if (node.isArray() && node.size() <= AttributeType.MOST_TEXTS) {
            List<Object> texts = new ArrayList<>();
            for (JsonNode each : node) {
                Object text = text(each);
                if (text == null) {
                    return null;
                }
                texts.add(text);
            }
            return texts;
        }
        return text(node);
    }

    private static @Nullable Object text(JsonNode node) {
        return node.isString() && Ids.problem(node.stringValue(), Ids.MAX_BYTES) == null
                ? node.stringValue()
                : null;
    }
}
