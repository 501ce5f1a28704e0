package dev.ovation.rules.constraint;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.ovation.rules.constraint.Fragment.Kind;
import dev.ovation.rules.constraint.Fragment.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Translates operators and functions. */
final class Operators {

    private final Translator translator;

    Operators(Translator translator) {
        this.translator = translator;
    }

    Fragment call(CelCall call) throws ConstraintException {
        String function = call.function();
        if (function.equals("timestamp") || function.equals("duration")) {
            return time(function, call.args());
        }
        List<CelExpr> parts = new ArrayList<>();
        call.target().ifPresent(parts::add);
        parts.addAll(call.args());
        List<Fragment> args = new ArrayList<>();
        for (CelExpr part : parts) {
            args.add(translator.translate(part));
        }
        Fragment a = args.getFirst();
        Fragment b = args.getLast();
        return switch (function) {
            case "_&&_" -> logic("&", args);
            case "_||_" -> logic("|", args);
            case "!_" -> not(a);
            case "_?_:_" -> choice(a, args.get(1), b);
            case "_==_" -> equal(a, b);
            case "_!=_" -> not(equal(a, b));
            case "_<_" -> ordered("<", a, b);
            case "_<=_" -> ordered("l", a, b);
            case "_>_" -> ordered("<", b, a);
            case "_>=_" -> ordered("l", b, a);
            case "_+_" -> sum(a, b);
            case "_-_" -> difference(a, b);
            case "_*_" -> product(a, b);
            case "_/_" -> Fragment.of(number(a, b), a.span().around(), 0, "/", a, b);
            case "_%_" -> Fragment.of(number(a, b), a.span().around(), 0, "%", a, b);
            case "-_" -> difference(Fragment.literal(kind(a), Span.NONE, "i0"), a);
            case "@in" -> in(a, b);
            case "_[_]" -> index(a, b);
            case "size" -> size(a);
            case "startsWith" -> part("p", a, b);
            case "endsWith" -> part("q", a, b);
            case "contains" -> part("o", a, b);
            default -> throw unsupported(function);
        };
    }

    private static ConstraintException unsupported(String function) {
        return Translator.unsupported("`%s` here".formatted(function.replace("_", "")));
    }

    private static Fragment time(String function, List<CelExpr> args) throws ConstraintException {
        CelExpr text = args.getFirst();
        if (text.getKind() != ExprKind.Kind.CONSTANT
                || text.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
            throw Translator.unsupported(function + "() of something other than a literal text");
        }
        String value = text.constant().stringValue();
        boolean isTimestamp = function.equals("timestamp");
        long micros = isTimestamp ? Times.timestamp(value) : Times.duration(value);
        return Fragment.literal(
                isTimestamp ? Kind.TIMESTAMP : Kind.DURATION,
                Span.of(micros, micros),
                "i" + micros);
    }

    private static Fragment logic(String operator, List<Fragment> args) throws ConstraintException {
        Fragment whole = bool(args.getFirst());
        for (Fragment next : args.subList(1, args.size())) {
            String skipping = operator + bool(next).tokens().size();
            whole = Fragment.of(Kind.BOOL, Span.NONE, 0, skipping, whole, next);
        }
        return whole;
    }

    private static Fragment not(Fragment a) throws ConstraintException {
        return Fragment.of(Kind.BOOL, Span.NONE, 0, "!", bool(a));
    }

    private static Fragment bool(Fragment a) throws ConstraintException {
        if (!a.is(Kind.BOOL)) {
            throw Translator.unsupported("a condition that is not true or false");
        }
        return a;
    }

    private static Fragment choice(Fragment condition, Fragment a, Fragment b)
            throws ConstraintException {
        if (a.shape() != Shape.VALUE || b.shape() != Shape.VALUE || a.kind() != b.kind()) {
            throw Translator.unsupported("`?:` with lists or with two kinds of values");
        }
        return Fragment.of(kind(a), a.span().with(b.span()), 0, "?", bool(condition), a, b);
    }

    private Fragment equal(Fragment a, Fragment b) throws ConstraintException {
        if (a.isList() && b.isList()) {
            if (a.kind() != null && b.kind() != null && a.kind() != b.kind()) {
                return equal("e", reactions(a, b), reactions(b, a));
            }
            return equal("e", a, b);
        }
        if (a.shape() != Shape.VALUE || b.shape() != Shape.VALUE) {
            throw Translator.unsupported("`==` of maps");
        }
        if (a.kind() == b.kind()) {
            return equal("=", a, b);
        }
        if (a.isText() && b.isText()) {
            return equal("=", translator.reaction(a), translator.reaction(b));
        }
        boolean withNull =
                (a.is(Kind.NULL) && b.is(Kind.TIMESTAMP))
                        || (b.is(Kind.NULL) && a.is(Kind.TIMESTAMP));
        if (!withNull) {
            throw Translator.unsupported("`==` of these values");
        }
        return equal("=", a, b);
    }

    private static Fragment equal(String operator, Fragment a, Fragment b) {
        return Fragment.of(Kind.BOOL, Span.NONE, Math.min(a.size(), b.size()), operator, a, b);
    }

    /** Returns a list; as keys of reactions when the other one has them. */
    private Fragment reactions(Fragment list, Fragment other) throws ConstraintException {
        return other.kind() == Kind.REACTION ? translator.reaction(list) : list;
    }

    private static Fragment ordered(String operator, Fragment a, Fragment b)
            throws ConstraintException {
        Kind kind = kind(a);
        if (!b.is(kind) || !kind.isOrdered()) {
            throw Translator.unsupported("an order of values other than numbers and times");
        }
        return Fragment.of(Kind.BOOL, Span.NONE, 0, operator, a, b);
    }

    private static Kind kind(Fragment a) throws ConstraintException {
        if (a.shape() != Shape.VALUE) {
            throw Translator.unsupported("arithmetic with lists or maps");
        }
        return Objects.requireNonNull(a.kind());
    }

    private static Kind number(Fragment a, Fragment b) throws ConstraintException {
        if (!a.is(Kind.INT) || !b.is(Kind.INT)) {
            throw Translator.unsupported("arithmetic with values other than whole numbers");
        }
        return Kind.INT;
    }

    private static Fragment sum(Fragment a, Fragment b) throws ConstraintException {
        Kind kind;
        if (a.is(Kind.TIMESTAMP) || b.is(Kind.TIMESTAMP)) {
            kind = Kind.TIMESTAMP;
        } else {
            kind = a.is(Kind.DURATION) ? Kind.DURATION : number(a, b);
        }
        boolean isText = a.isText() || b.isText() || a.isList() || b.isList();
        if (isText || a.is(Kind.NULL) || b.is(Kind.NULL)) {
            throw Translator.unsupported("`+` of texts, lists or null");
        }
        return Fragment.of(kind, a.span().plus(b.span()), 0, "+", a, b);
    }

    private static Fragment difference(Fragment a, Fragment b) throws ConstraintException {
        Kind kind;
        if (a.is(Kind.TIMESTAMP)) {
            kind = b.is(Kind.TIMESTAMP) ? Kind.DURATION : Kind.TIMESTAMP;
        } else {
            kind = a.is(Kind.DURATION) ? Kind.DURATION : number(a, b);
        }
        if (!kind(b).isOrdered()) {
            throw Translator.unsupported("`-` of these values");
        }
        return Fragment.of(kind, a.span().minus(b.span()), 0, "-", a, b);
    }

    private static Fragment product(Fragment a, Fragment b) throws ConstraintException {
        return Fragment.of(number(a, b), a.span().times(b.span()), 0, "*", a, b);
    }

    private Fragment in(Fragment a, Fragment b) throws ConstraintException {
        if (b.shape() == Shape.COUNTS) {
            return translator.count(b, a, true);
        }
        if (a.shape() != Shape.VALUE || !b.isList()) {
            throw Translator.unsupported("`in` of these values");
        }
        Fragment element = a;
        Fragment list = b;
        if (a.kind() != b.kind() && b.kind() != null) {
            if (!a.isText() || !b.kind().isText()) {
                throw Translator.unsupported("`in` of two kinds of values");
            }
            element = translator.reaction(a);
            list = translator.reaction(b);
        }
        return Fragment.of(Kind.BOOL, Span.NONE, b.size(), "n", element, list);
    }

    private Fragment index(Fragment a, Fragment b) throws ConstraintException {
        if (a.shape() == Shape.COUNTS) {
            return translator.count(a, b, false);
        }
        if (!a.isList() || !b.is(Kind.INT) || a.kind() == null) {
            throw Translator.unsupported("`[]` of these values");
        }
        return Fragment.of(a.kind(), a.span(), 0, "g", a, b);
    }

    private static Fragment size(Fragment a) throws ConstraintException {
        if (a.shape() == Shape.VALUE && !a.isText()) {
            throw Translator.unsupported("size() of this value");
        }
        if (a.isList() && a.tokens().getFirst().charAt(0) == 'v') {
            String name = a.tokens().getFirst().substring(1);
            return Fragment.value(Kind.INT, Variables.SIZES, "y" + name);
        }
        String operator =
                switch (a.shape()) {
                    case VALUE -> "Z";
                    case LIST -> "z";
                    case COUNTS -> "m";
                };
        return Fragment.of(Kind.INT, Variables.SIZES, 0, operator, a);
    }

    private Fragment part(String operator, Fragment a, Fragment b) throws ConstraintException {
        if (!a.isText() || !b.isText()) {
            throw Translator.unsupported("a part of something other than a text");
        }
        Fragment piece = a.is(Kind.REACTION) ? translator.partOfReaction(b) : b;
        return Fragment.of(Kind.BOOL, Span.NONE, 0, operator, a, piece);
    }
}
