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
record Piece(
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

    static Piece value(Kind kind, Span span, String token) {
        return new Piece(List.of(token), Shape.VALUE, kind, span, 0, 1, false);
    }

    static Piece value(Kind kind, String token) {
        return value(kind, Span.NONE, token);
    }

    static Piece literal(Kind kind, Span span, String token) {
        return new Piece(List.of(token), Shape.VALUE, kind, span, 0, 1, true);
    }

    static Piece list(Kind kind, long size, String token) {
        return new Piece(List.of(token), Shape.LIST, kind, Span.NONE, size, 1, false);
    }

    /** Returns one value of an operator and its operands. */
    static Piece of(Kind kind, Span span, long extraCost, String operator, Piece... operands) {
        var tokens = new ArrayList<String>();
        tokens.add(operator);
        long cost = 1 + extraCost;
        for (Piece operand : operands) {
            tokens.addAll(operand.tokens);
            cost += operand.cost;
        }
        return new Piece(List.copyOf(tokens), Shape.VALUE, kind, span, 0, cost, false);
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
    Piece asReactions(UnaryOperator<String> key) {
        List<String> keys =
                tokens.stream()
                        .map(
                                token ->
                                        token.charAt(0) == 's'
                                                ? 's' + key.apply(token.substring(1))
                                                : token)
                        .toList();
        return new Piece(keys, shape, Kind.REACTION, span, size, cost, true);
    }
}
