package dev.ovation.rules.constraint;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Type of an attribute that a request or a token brings. */
public enum AttributeType {
    /** Whole number, at most {@link #MOST} from 0. */
    INT,
    /** Text. */
    STRING,
    /** True or false. */
    BOOL,
    /** List of texts. */
    LIST;

    /** Greatest distance of a number from 0. */
    public static final long MOST = 1_000_000_000_000L;

    /** Greatest number of texts in a list. */
    public static final int MOST_TEXTS = 100;

    /** Returns the name in a configuration. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the type of this name in a configuration; null when there is none. */
    public static @Nullable AttributeType of(String label) {
        for (AttributeType type : values()) {
            if (type.label().equals(label)) {
                return type;
            }
        }
        return null;
    }

    CelType celType() {
        return switch (this) {
            case INT -> SimpleType.INT;
            case STRING -> SimpleType.STRING;
            case BOOL -> SimpleType.BOOL;
            case LIST -> ListType.create(SimpleType.STRING);
        };
    }

    /**
     * An attribute as a namespace declares it. Its JSON is the type alone, or an object of both
     * members.
     *
     * @param type name of an {@link AttributeType}
     * @param from {@link #TOKEN} for an attribute of the user's token alone; null when a body may
     *     bring it
     */
    public record Declaration(String type, @Nullable String from) {

        /** The user's token. */
        public static final String TOKEN = "token";

        /** Reads stored rules; a source that is unknown here still keeps a body out. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Declaration read(Object json) {
            if (!(json instanceof Map<?, ?> members)) {
                return new Declaration(String.valueOf(json), null);
            }
            Object from = members.get("from");
            return new Declaration(
                    String.valueOf(members.get("type")), from == null ? null : from.toString());
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
}
