package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The constraints of {@link Place.Space#RULED} in CEL. {@link Terms} judges the same in Java. */
enum Term {
    MANY(
            "size(user.reactions) + size(added) - size(removed) <= " + Term.MOST_OF_A_USER,
            Outcome.MANY),
    SOON(
            "user.last_reacted_at == null || now - user.last_reacted_at >= duration('"
                    + Term.PAUSE_MILLIS
                    + "ms')",
            Outcome.SOON),
    FULL("entity.total + size(added) - size(removed) <= " + Term.MOST_OF_AN_ENTITY, Outcome.FULL),
    YOUNG("!('e' in added) || attributes.age >= " + Person.ADULT, Outcome.YOUNG),
    STRANGER("!('f' in added) || 'member' in attributes.roles", Outcome.STRANGER);

    /** Greatest number of reactions of one user on an entity. */
    static final int MOST_OF_A_USER = 2;

    /** Greatest number of reactions of all users on an entity; clients reach it within seconds. */
    static final int MOST_OF_AN_ENTITY = 20;

    /** Least time between two changes of a user that add something to an entity. */
    static final int PAUSE_MILLIS = 1500;

    /** Attributes that the expressions read. */
    static final Map<String, String> ATTRIBUTES = Map.of("age", "int", "roles", "list");

    private final String expression;
    private final Outcome refusal;

    Term(String expression, Outcome refusal) {
        this.expression = expression;
        this.refusal = refusal;
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The expressions by the ids of the constraints. */
    static Map<String, String> expressions() {
        var expressions = new LinkedHashMap<String, String>();
        for (Term term : values()) {
            expressions.put(term.id(), term.expression);
        }
        return expressions;
    }

    /** Outcome of a change that the constraint of this id refused; null for an unknown id. */
    static Outcome refusalBy(String id) {
        return Arrays.stream(values())
                .filter(term -> term.id().equals(id))
                .map(term -> term.refusal)
                .findFirst()
                .orElse(null);
    }
}
