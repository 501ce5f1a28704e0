package dev.ovation.web.request;

import dev.ovation.web.problem.RequestViolations;

import org.jspecify.annotations.Nullable;

/** The fields of a call as texts, by the names that violations use. */
@FunctionalInterface
public interface TextFields {

    /** Returns the value of a field, which may be empty; null when it is absent. */
    @Nullable String text(String name);

    /** As {@link #text}, but an empty value counts as absent. */
    default @Nullable String nonEmpty(String name) {
        String value = text(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** A boolean: {@code true} or {@code false}; any other value is a violation. */
    default boolean flag(String name, boolean otherwise, RequestViolations violations) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            violations.add(name, "must be true or false");
        }
        return value.equals("true");
    }
}
