package dev.ovation.rules.constraint;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An attribute as a namespace declares it. Its JSON is the type alone, or an object of both
 * members.
 *
 * @param type name of an {@link AttributeType}
 * @param from {@link #TOKEN} for an attribute of the user's token alone; null when a body may bring
 *     it
 */
public record AttributeDeclaration(String type, @Nullable String from) {

    /** The user's token. */
    public static final String TOKEN = "token";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static AttributeDeclaration read(Object json) {
        return json instanceof Map<?, ?> members
                ? new AttributeDeclaration(
                        String.valueOf(members.get("type")),
                        members.get("from") instanceof String from ? from : null)
                : new AttributeDeclaration(String.valueOf(json), null);
    }

    @JsonValue
    Object json() {
        if (from == null) {
            return type;
        }
        var members = new LinkedHashMap<String, Object>();
        members.put("type", type);
        members.put("from", from);
        return members;
    }

    /** Returns whether a body may bring the attribute. */
    public boolean isFromBody() {
        return from == null;
    }

    @Override
    public String toString() {
        return from == null ? type : type + " from " + from;
    }
}
