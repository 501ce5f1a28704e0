package dev.ovation.rules.constraint;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.ovation.entity.Ids;
import dev.ovation.rules.constraint.Fragment.Kind;
import dev.ovation.rules.constraint.Fragment.Shape;

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

    private static final int MOST_DEPTH = 32;

    private final Variables variables;
    private final UnaryOperator<String> key;
    private final Operators operators = new Operators(this);
    private final Set<String> reactions = new TreeSet<>();
    private final Deque<Local> locals = new ArrayDeque<>();
    private int depth;

    private record Local(String name, Fragment value) {}

    Translator(Map<String, AttributeType> attributes, UnaryOperator<String> key) {
        this.variables = new Variables(attributes);
        this.key = key;
    }

    /** Returns the variables that the expression mentions. */
    Variables variables() {
        return variables;
    }

    /** Returns the keys of the reactions that the expression names. */
    Set<String> reactions() {
        return reactions;
    }

    /** Translates a part of the expression. */
    Fragment translate(CelExpr part) throws ConstraintException {
        if (++depth > MOST_DEPTH) {
            throw new ConstraintException("is nested deeper than " + MOST_DEPTH + " levels");
        }
        Fragment piece =
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

    private static Fragment constant(CelConstant constant) throws ConstraintException {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE ->
                    Fragment.literal(Kind.BOOL, Span.NONE, constant.booleanValue() ? "t" : "f");
            case INT64_VALUE -> number(constant.int64Value());
            case STRING_VALUE -> text(constant.stringValue());
            case NULL_VALUE -> Fragment.literal(Kind.NULL, Span.NONE, "N");
            default -> throw unsupported("doubles, unsigned numbers and bytes");
        };
    }

    private static Fragment number(long value) throws ConstraintException {
        return Fragment.literal(Kind.INT, Span.of(value, value).checked(), "i" + value);
    }

    private static Fragment text(String text) throws ConstraintException {
        String problem = Ids.problem(text, Ids.MAX_BYTES);
        if (problem != null) {
            throw new ConstraintException("has a text that " + problem);
        }
        return Fragment.literal(Kind.STRING, Span.NONE, "s" + text);
    }

    private Fragment variable(String name) throws ConstraintException {
        for (Local local : locals) {
            if (local.name.equals(name)) {
                return local.value;
            }
        }
        return variables.whole(name);
    }

    private boolean isVariable(CelExpr part, String name) {
        return part.getKind() == CelExpr.ExprKind.Kind.IDENT
                && part.ident().name().equals(name)
                && locals.stream().noneMatch(local -> local.name.equals(name));
    }

    private Fragment select(CelSelect select) throws ConstraintException {
        String field = select.field();
        if (isVariable(select.operand(), "attributes")) {
            return variables.attribute(field, select.testOnly());
        }
        for (String struct : List.of("user", "entity")) {
            if (isVariable(select.operand(), struct)) {
                if (select.testOnly()) {
                    throw new ConstraintException(
                            "must compare %s.%s with null instead of has()"
                                    .formatted(struct, field));
                }
                return variables.member(struct + "." + field);
            }
        }
        Fragment map = translate(select.operand());
        if (map.shape() != Shape.COUNTS) {
            throw unsupported("the member `%s`".formatted(field));
        }
        return count(map, text(field), select.testOnly());
    }

    /** Returns the count of a reaction, or whether there is one. */
    Fragment count(Fragment map, Fragment reaction, boolean isTest) throws ConstraintException {
        Fragment named = reaction(reaction);
        return isTest
                ? Fragment.of(Kind.BOOL, Span.NONE, 0, "k", named, map)
                : Fragment.of(Kind.INT, Variables.COUNTS, 0, "c", named, map);
    }

    private Fragment list(List<CelExpr> elements) throws ConstraintException {
        var tokens = new ArrayList<>(List.of("L" + elements.size()));
        Fragment first = null;
        Span span = Span.NONE;
        long cost = 1;
        boolean isLiteral = true;
        for (CelExpr element : elements) {
            Fragment each = translate(element);
            if (each.shape() != Shape.VALUE || (first != null && each.kind() != first.kind())) {
                throw unsupported("lists of lists or of different kinds of values");
            }
            span = first == null ? each.span() : span.with(each.span());
            first = each;
            tokens.addAll(each.tokens());
            cost += each.cost();
            isLiteral &= each.literal();
        }
        return new Fragment(
                List.copyOf(tokens),
                Shape.LIST,
                first == null ? null : first.kind(),
                span,
                elements.size(),
                cost,
                isLiteral);
    }

    /** Returns a text as the key of a reaction; a literal may have any spelling. */
    Fragment reaction(Fragment text) throws ConstraintException {
        if (text.kind() == Kind.REACTION || text.kind() == null) {
            return text;
        }
        if (!text.literal() || text.kind() != Kind.STRING) {
            throw new ConstraintException(
                    "compares a reaction with something other than a literal or a reaction");
        }
        Fragment keys = text.asReactions(key);
        keys.tokens().stream()
                .filter(token -> token.charAt(0) == 's')
                .forEach(token -> reactions.add(token.substring(1)));
        return keys;
    }

    /** Returns a literal part of a reaction's id in the form of keys. */
    Fragment partOfReaction(Fragment text) throws ConstraintException {
        if (!text.literal()) {
            throw new ConstraintException("compares a reaction with a text that is no literal");
        }
        return text.asReactions(key);
    }

    private Fragment macro(CelComprehension loop) throws ConstraintException {
        Macro macro = Macro.of(loop);
        Fragment range = translate(loop.iterRange());
        if (range.shape() == Shape.VALUE) {
            throw unsupported("this loop");
        }
        Kind element = range.kind() == null ? Kind.NULL : range.kind();
        Span span = range.isList() ? range.span() : Span.NONE;
        locals.push(
                new Local(
                        loop.iterVar(), Fragment.value(element, span, "x" + (locals.size() + 1))));
        Fragment body = translate(macro.body());
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
                ? new Fragment(
                        List.copyOf(tokens),
                        Shape.LIST,
                        range.kind(),
                        span,
                        range.size(),
                        cost,
                        false)
                : new Fragment(
                        List.copyOf(tokens), Shape.VALUE, Kind.BOOL, Span.NONE, 0, cost, false);
    }
}
