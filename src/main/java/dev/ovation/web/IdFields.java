package dev.ovation.web;

import dev.ovation.entity.Ids;

import org.jspecify.annotations.Nullable;

/** Takes ids from the fields of a request. */
public final class IdFields {

    private IdFields() {}

    /**
     * Returns a namespace's id, or an empty string after noting why the value is none.
     *
     * @param value null when the field is absent
     */
    public static String namespace(String field, @Nullable String value, Violations violations) {
        if (value == null) {
            violations.add(field, "is missing");
        } else if (!Ids.isNamespace(value)) {
            violations.add(field, "must be 1 to 64 letters, digits, dots, underscores or hyphens");
        } else {
            return value;
        }
        return "";
    }

    /**
     * Returns an entity's, user's or reaction's id, or an empty string after noting why the value
     * is none.
     *
     * @param value null when the field is absent
     */
    public static String id(String field, @Nullable String value, Violations violations) {
        String violation = value == null ? "is missing" : Ids.problem(value);
        if (violation != null) {
            violations.add(field, violation);
        }
        return value == null || violation != null ? "" : value;
    }
}
