package dev.ovation.reaction.attribute;

import java.util.Map;

/**
 * Attributes that a write brings for constraints. A claim of the user's token replaces an attribute
 * of the body.
 *
 * @param body by name; whole numbers as {@code Long}, texts, booleans and lists of texts
 * @param claims claims of the user's token by name; of any type
 */
public record RequestAttributes(Map<String, Object> body, Map<String, Object> claims) {

    /** No attributes. */
    public static final RequestAttributes NONE = new RequestAttributes(Map.of(), Map.of());

    public RequestAttributes {
        body = Map.copyOf(body);
        claims = Map.copyOf(claims);
    }

    /** Returns whether the write brings none. */
    public boolean isEmpty() {
        return body.isEmpty() && claims.isEmpty();
    }
}
