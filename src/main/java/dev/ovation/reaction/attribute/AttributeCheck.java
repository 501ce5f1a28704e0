package dev.ovation.reaction.attribute;

import dev.ovation.configuration.TraitsReader;
import dev.ovation.entity.Ids;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.Traits;
import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.rules.constraint.NamespaceConstraints;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The attributes of a write, checked by the types that its namespace declares, and the traits among
 * them, by which audiences of reactions are judged. Traits need no declaration.
 *
 * @param encoded what constraints read, in the form of the script
 * @param traits what the request names of the user
 * @param malformed the problem of attributes that are not declared or of another type; null for
 *     none
 */
public record AttributeCheck(String encoded, Traits traits, @Nullable ProblemException malformed) {

    private static final AttributeCheck NONE = new AttributeCheck("", Traits.NONE, null);

    private static final Map<String, AttributeType> TRAITS =
            Map.of(
                    "age", AttributeType.INT,
                    "gender", AttributeType.STRING,
                    "country", AttributeType.STRING,
                    "platform", AttributeType.STRING);

    /**
     * Checks the attributes of a write.
     *
     * @param namespace null for an unknown one; its attributes are ignored
     */
    public static AttributeCheck of(RequestAttributes given, @Nullable NamespaceRules namespace) {
        if (namespace == null) {
            return NONE;
        }
        NamespaceConstraints constraints = namespace.constraints();
        Map<String, AttributeType> declared = constraints.attributes();
        if (given.body().isEmpty() && declared.isEmpty() && namespace.isPermanent()) {
            return NONE;
        }
        var violations = new RequestViolations();
        var values = new HashMap<String, Object>();
        var types = new HashMap<>(TRAITS);
        types.putAll(declared);
        addBody(given.body(), types, constraints, values, violations);
        addClaims(given.claims(), types, declared.keySet(), values, violations);
        var free = new HashSet<>(declared.keySet());
        free.addAll(given.claims().keySet());
        Traits traits = TraitsReader.of(values, free, violations);
        try {
            violations.throwIfAny();
        } catch (ProblemException e) {
            return new AttributeCheck("", Traits.NONE, e);
        }
        values.keySet().removeIf(name -> !constraints.reads(name));
        return new AttributeCheck(Attributes.encoded(values), traits, null);
    }

    private static void addBody(
            Map<String, Object> body,
            Map<String, AttributeType> types,
            NamespaceConstraints constraints,
            Map<String, Object> values,
            RequestViolations violations) {
        body.forEach(
                (name, given) -> {
                    AttributeType type = types.get(name);
                    Object value = type == null ? null : value(type, given);
                    if (type == null) {
                        violations.add(field(name), "is not declared by the namespace");
                    } else if (constraints.isWithheldFromBodies(name)) {
                        violations.add(field(name), "is taken from the user's token only");
                    } else if (value == null) {
                        violations.add(field(name), "must be " + phrase(type));
                    } else {
                        values.put(name, value);
                    }
                });
    }

    /**
     * Claims replace what the body has: a user cannot choose what the token says. A claim that is
     * no trait names none.
     */
    private static void addClaims(
            Map<String, Object> claims,
            Map<String, AttributeType> types,
            Set<String> declared,
            Map<String, Object> values,
            RequestViolations violations) {
        types.forEach(
                (name, type) -> {
                    Object claim = claims.get(name);
                    Object value = claim == null ? null : value(type, claim);
                    if (value != null) {
                        values.put(name, value);
                    } else if (claim != null && declared.contains(name)) {
                        violations.add(
                                field(name),
                                "is a claim of the token, which must be " + phrase(type));
                    } else if (claim != null) {
                        values.remove(name);
                    }
                });
    }

    private static String field(String name) {
        return "attributes." + name;
    }

    private static String phrase(AttributeType type) {
        return switch (type) {
            case INT -> "a whole number, at most %d from 0".formatted(AttributeType.MOST);
            case STRING -> "a text of at most %d bytes".formatted(Ids.MAX_BYTES);
            case BOOL -> "true or false";
            case LIST ->
                    "a list of at most %d texts of at most %d bytes"
                            .formatted(AttributeType.MOST_TEXTS, Ids.MAX_BYTES);
        };
    }

    /** Returns a value as this type; null when it is none. */
    private static @Nullable Object value(AttributeType type, Object value) {
        return switch (type) {
            case INT -> number(value);
            case STRING -> value instanceof String text && isText(text) ? text : null;
            case BOOL -> value instanceof Boolean ? value : null;
            case LIST -> value instanceof Collection<?> list ? texts(list) : null;
        };
    }

    private static @Nullable Long number(Object value) {
        boolean isWhole = value instanceof Long || value instanceof Integer;
        long number = isWhole ? ((Number) value).longValue() : 0;
        return isWhole && number >= -AttributeType.MOST && number <= AttributeType.MOST
                ? number
                : null;
    }

    private static @Nullable List<String> texts(Collection<?> list) {
        var texts = new ArrayList<String>();
        for (Object each : list) {
            if (!(each instanceof String text) || !isText(text)) {
                return null;
            }
            texts.add(text);
        }
        return texts.size() > AttributeType.MOST_TEXTS ? null : texts;
    }

    private static boolean isText(String text) {
        return Ids.problem(text, Ids.MAX_BYTES) == null;
    }
}
