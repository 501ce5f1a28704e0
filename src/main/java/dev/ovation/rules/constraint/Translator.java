package dev.ovation.rules.constraint;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;

import dev.ovation.entity.Ids;
import dev.ovation.rules.constraint.Piece.Kind;
import dev.ovation.rules.constraint.Piece.Shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Translates one checked expression to a program in prefix form. Each token is a letter, the
 * operator, and its argument; {@code constraints.lua} lists them. An expression whose evaluation in
 * Lua could differ from CEL's is refused.
 */
final class Translator {

    /** Usual sizes; an evaluation that exceeds its bound on steps refuses the change. */
    private static final long REACTIONS = 200;

    private static final long KINDS = 1_000;

    private static final int MOST_DEPTH = 32;

    static final Span SIZES = Span.of(0, 1_000_000_000L);
    private static final Span COUNTS = Span.of(0, AttributeType.MOST);
    private static final Span NUMBERS = Span.of(-AttributeType.MOST, AttributeType.MOST);

    private final Map<String, AttributeType> attributes;
    private final UnaryOperator<String> key;
    private final Operators operators = new Operators(this);
    private final Set<String> used = new TreeSet<>();
    private final Set<String> readAttributes = new TreeSet<>();
    private final Set<String> reactions = new TreeSet<>();
    private final Deque<Local> locals = new ArrayDeque<>();
    private int depth;

    private record Local(String name, Piece value) {}

    Translator(Map<String, AttributeType> attributes, UnaryOperator<String> key) {
        this.attributes = attributes;
        this.key = key;
    }

    boolean uses(String variable) {
        return used.contains(variable);
    }

    Set<String> attributes() {
        return readAttributes;
    }

    Set<String> reactions() {
        return reactions;
    }

    /** Translates a part of the expression. */
    Piece translate(CelExpr part) throws ConstraintException {
        if (++depth > MOST_DEPTH) {
            throw new ConstraintException("is nested deeper than " + MOST_DEPTH + " levels");
        }
        Piece piece =
                switch (part.getKind()) {
                    case CONSTANT -> constant(part.constant());
                    case IDENT -> variable(part.ident().name());
                    case SELECT -> select(part.select());
                    case CALL -> operators.call(part.call());
                    case LIST -> list(part.list().elements());
                    case COMPREHENSION -> macro(part.comprehension());
                    case MAP, STRUCT -> throw unsupported("maps and messages");
                    default -> throw unsupported("this form of expression");
                };
        depth--;
        return piece;
    }

    static ConstraintException unsupported(String what) {
        return new ConstraintException("uses " + what + ", which constraints do not support");
    }

    private static Piece constant(CelConstant constant) throws ConstraintException {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE ->
                    Piece.literal(Kind.BOOL, Span.NONE, constant.booleanValue() ? "t" : "f");
            case INT64_VALUE -> number(constant.int64Value());
            case STRING_VALUE -> text(constant.stringValue());
            case NULL_VALUE -> Piece.literal(Kind.NULL, Span.NONE, "N");
            default -> throw unsupported("doubles, unsigned numbers and bytes");
        };
    }

    private static Piece number(long value) throws ConstraintException {
        return Piece.literal(Kind.INT, Span.of(value, value).checked(), "i" + value);
    }

    private static Piece text(String text) throws ConstraintException {
        String problem = Ids.problem(text, Ids.MAX_BYTES);
        if (problem != null) {
            throw new ConstraintException("has a text that " + problem);
        }
        return Piece.literal(Kind.STRING, Span.NONE, "s" + text);
    }

    private Piece variable(String name) throws ConstraintException {
        for (Local local : locals) {
            if (local.name.equals(name)) {
                return local.value;
            }
        }
        used.add(name);
        return switch (name) {
            case "op" -> Piece.value(Kind.STRING, "vop");
            case "now" -> Piece.value(Kind.TIMESTAMP, Times.TIMES, "vnow");
            case "added", "removed" -> Piece.list(Kind.REACTION, REACTIONS, "v" + name);
            case "user", "entity", "attributes" ->
                    throw unsupported("`%s` without one of its members".formatted(name));
            default -> throw unsupported("`%s`".formatted(name));
        };
    }

    private boolean isVariable(CelExpr part, String name) {
        return part.getKind() == CelExpr.ExprKind.Kind.IDENT
                && part.ident().name().equals(name)
                && locals.stream().noneMatch(local -> local.name.equals(name));
    }

    private Piece select(CelSelect select) throws ConstraintException {
        String field = select.field();
        if (isVariable(select.operand(), "attributes")) {
            return attribute(field, select.testOnly());
        }
        for (String struct : List.of("user", "entity")) {
            if (isVariable(select.operand(), struct)) {
                if (select.testOnly()) {
                    throw new ConstraintException(
                            "must compare %s.%s with null instead of has()"
                                    .formatted(struct, field));
                }
                return member(struct + "." + field);
            }
        }
        Piece map = translate(select.operand());
        if (map.shape() != Shape.COUNTS) {
            throw unsupported("the member `%s`".formatted(field));
        }
        return count(map, text(field), select.testOnly());
    }

    /** Returns the count of a reaction, or whether there is one. */
    Piece count(Piece map, Piece reaction, boolean isTest) throws ConstraintException {
        Piece named = reaction(reaction);
        return isTest
                ? Piece.of(Kind.BOOL, Span.NONE, 0, "k", named, map)
                : Piece.of(Kind.INT, COUNTS, 0, "c", named, map);
    }

    private Piece attribute(String name, boolean isTest) {
        readAttributes.add(name);
        if (isTest) {
            return Piece.value(Kind.BOOL, "h" + name);
        }
        String token = "a" + name;
        return switch (attributes.get(name)) {
            case INT -> Piece.value(Kind.INT, NUMBERS, token);
            case STRING -> Piece.value(Kind.STRING, token);
            case BOOL -> Piece.value(Kind.BOOL, token);
            case LIST -> Piece.list(Kind.STRING, AttributeType.MOST_TEXTS, token);
        };
    }

    private Piece member(String name) throws ConstraintException {
        used.add(name);
        String token = "v" + name;
        return switch (name) {
            case "user.id", "entity.id" -> Piece.value(Kind.STRING, token);
            case "user.reactions" -> Piece.list(Kind.REACTION, REACTIONS, token);
            case "user.last_reacted_at", "entity.first_reacted_at", "entity.last_reacted_at" ->
                    Piece.value(Kind.TIMESTAMP, Times.TIMES, token);
            case "entity.total" -> Piece.value(Kind.INT, COUNTS, token);
            case "entity.kinds" -> Piece.value(Kind.INT, SIZES, token);
            case "entity.counts" ->
                    new Piece(List.of(token), Shape.COUNTS, Kind.REACTION, COUNTS, KINDS, 1, false);
            default -> throw unsupported("`%s`".formatted(name));
        };
    }

    private Piece list(List<CelExpr> elements) throws ConstraintException {
        var tokens = new ArrayList<>(List.of("L" + elements.size()));
        Piece first = null;
        Span span = Span.NONE;
        long cost = 1;
        boolean isLiteral = true;
        for (CelExpr element : elements) {
            Piece each = translate(element);
            if (each.shape() != Shape.VALUE || (first != null && each.kind() != first.kind())) {
                throw unsupported("lists of lists or of different kinds of values");
            }
            span = first == null ? each.span() : span.with(each.span());
            first = each;
            tokens.addAll(each.tokens());
            cost += each.cost();
            isLiteral &= each.literal();
        }
        return new Piece(
                List.copyOf(tokens),
                Shape.LIST,
                first == null ? null : first.kind(),
                span,
                elements.size(),
                cost,
                isLiteral);
    }

    /** Returns a text as the key of a reaction; a literal may have any spelling. */
    Piece reaction(Piece text) throws ConstraintException {
        if (text.kind() == Kind.REACTION || text.kind() == null) {
            return text;
        }
        if (!text.literal() || text.kind() != Kind.STRING) {
            throw new ConstraintException(
                    "compares a reaction with something other than a literal or a reaction");
        }
        Piece keys = text.asReactions(key);
        keys.tokens().stream()
                .filter(token -> token.charAt(0) == 's')
                .forEach(token -> reactions.add(token.substring(1)));
        return keys;
    }

    /** Returns a literal part of a reaction's id in the form of keys. */
    Piece partOfReaction(Piece text) throws ConstraintException {
        if (!text.literal()) {
            throw new ConstraintException("compares a reaction with a text that is no literal");
        }
        return text.asReactions(key);
    }

    private Piece macro(CelComprehension loop) throws ConstraintException {
        Macro macro = Macro.of(loop);
        Piece range = translate(loop.iterRange());
        if (range.shape() == Shape.VALUE) {
            throw unsupported("this loop");
        }
        Kind element = range.kind() == null ? Kind.NULL : range.kind();
        Span span = range.isList() ? range.span() : Span.NONE;
        locals.push(
                new Local(
                        loop.iterVar(), Piece.value(element, span, "x" + (locals.size() + 1))));
        Piece body = translate(macro.body());
        locals.pop();
        if (!body.is(Kind.BOOL)) {
            throw unsupported("a loop whose condition is not true or false");
        }
        if (macro.token() == 'W' && !range.isList()) {
            throw unsupported("filter() of a map");
        }
        var tokens = new ArrayList<String>();
        tokens.add(macro.token() + Integer.toString(body.tokens().size()));
        if (!range.isList()) {
            tokens.add("M");
        }
        tokens.addAll(range.tokens());
        tokens.addAll(body.tokens());
        long cost = 2 + range.cost() + range.size() * (1 + body.cost());
        return macro.token() == 'W'
                ? new Piece(
                        List.copyOf(tokens),
                        Shape.LIST,
                        range.kind(),
                        span,
                        range.size(),
                        cost,
                        false)
                : new Piece(
                        List.copyOf(tokens), Shape.VALUE, Kind.BOOL, Span.NONE, 0, cost, false);
    }
}
