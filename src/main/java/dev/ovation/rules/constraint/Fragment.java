package dev.ovation.rules.constraint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A translated part of an expression.
 *
 * @param tokens its program: operators before their operands
 * @param kind the kind of the value, or of the elements; null for those of an empty list
 * @param span of the value, or of the elements, if they are numbers or times
 * @param size greatest number of elements that its cost reckons with; 0 for one value
 * @param cost greatest number of steps of an evaluation
 * @param literal whether all its texts are literals
 */
record Fragment(
        List<String> tokens,
        Shape shape,
        @Nullable Kind kind,
        Span span,
        long size,
        long cost,
        boolean literal) {

    /** One value, several, or the counts of an entity by reaction. */
    enum Shape {
        VALUE,
        LIST,
        COUNTS
    }

    /** Kind of a value. */
    enum Kind {
        BOOL,
        INT,
        STRING,
        /** Text that is the key of a reaction. */
        REACTION,
        /** Microseconds since 1970. */
        TIMESTAMP,
        /** Microseconds. */
        DURATION,
        NULL;

        boolean isOrdered() {
            return this == INT || this == TIMESTAMP || this == DURATION;
        }

        boolean isText() {
            return this == STRING || this == REACTION;
        }
    }

    static Fragment value(Kind kind, Span span, String token) {
        return new Fragment(List.of(token), Shape.VALUE, kind, span, 0, 1, false);
    }

    static Fragment value(Kind kind, String token) {
        return value(kind, Span.NONE, token);
    }

    static Fragment literal(Kind kind, Span span, String token) {
        return new Fragment(List.of(token), Shape.VALUE, kind, span, 0, 1, true);
    }

    static Fragment list(Kind kind, long size, String token) {
        return new Fragment(List.of(token), Shape.LIST, kind, Span.NONE, size, 1, false);
    }

    /** Returns one value of an operator and its operands. */
    static Fragment of(
            Kind kind, Span span, long extraCost, String operator, Fragment... operands) {
        var tokens = new ArrayList<String>();
        tokens.add(operator);
        long cost = 1 + extraCost;
        for (Fragment operand : operands) {
            tokens.addAll(operand.tokens);
            cost += operand.cost;
        }
        return new Fragment(List.copyOf(tokens), Shape.VALUE, kind, span, 0, cost, false);
    }

    boolean is(Kind wanted) {
        return shape == Shape.VALUE && kind == wanted;
    }

    boolean isText() {
        return shape == Shape.VALUE && kind != null && kind.isText();
    }

    boolean isList() {
        return shape == Shape.LIST;
    }

    /** Returns the same with all its texts, which are literals, as keys of reactions. */
    Fragment asReactions(UnaryOperator<String> key) {
        List<String> keys =
                tokens.stream()
                        .map(
                                token ->
                                        token.charAt(0) == 's'
                                                ? 's' + key.apply(token.substring(1))
                                                : token)
                        .toList();
        return new Fragment(keys, shape, Kind.REACTION, span, size, cost, true);
    }
}
