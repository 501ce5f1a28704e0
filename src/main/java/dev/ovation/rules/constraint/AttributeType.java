package dev.ovation.rules.constraint;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

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
}
