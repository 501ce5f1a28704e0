package dev.ovation.rules.constraint;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind;

import java.util.List;

/**
 * The macro that a loop is the expansion of.
 *
 * @param token operator of the program: E exists, A all, O exists_one, W filter
 * @param body condition on the variable of the loop
 */
record Macro(char token, CelExpr body) {

    /**
     * Recognises a macro by the form of its expansion.
     *
     * @throws ConstraintException for any other loop
     */
    static Macro of(CelComprehension loop) throws ConstraintException {
        if (!loop.iterVar2().isEmpty() || loop.loopStep().getKind() != ExprKind.Kind.CALL) {
            throw other();
        }
        String result = loop.accuVar();
        CelCall step = loop.loopStep().call();
        List<CelExpr> args = step.args();
        boolean startsFalse = isConstant(loop.accuInit(), CelConstant.ofValue(false));
        boolean startsTrue = isConstant(loop.accuInit(), CelConstant.ofValue(true));
        boolean ends = isIdent(loop.result(), result);
        if (step.function().equals("_||_") && startsFalse && ends && isIdent(args.get(0), result)) {
            return new Macro('E', args.get(1));
        }
        if (step.function().equals("_&&_") && startsTrue && ends && isIdent(args.get(0), result)) {
            return new Macro('A', args.get(1));
        }
        if (step.function().equals("_?_:_") && isIdent(args.get(2), result)) {
            return conditional(loop, args, result);
        }
        throw other();
    }

    private static Macro conditional(CelComprehension loop, List<CelExpr> args, String result)
            throws ConstraintException {
        CelExpr next = args.get(1);
        if (next.getKind() != ExprKind.Kind.CALL
                || !next.call().function().equals("_+_")
                || !isIdent(next.call().args().get(0), result)) {
            throw other();
        }
        CelExpr more = next.call().args().get(1);
        if (isConstant(loop.accuInit(), CelConstant.ofValue(0L))
                && isConstant(more, CelConstant.ofValue(1L))
                && loop.result().getKind() == ExprKind.Kind.CALL) {
            return new Macro('O', args.get(0));
        }
        boolean isFilter =
                loop.accuInit().getKind() == ExprKind.Kind.LIST
                        && loop.accuInit().list().elements().isEmpty()
                        && more.getKind() == ExprKind.Kind.LIST
                        && more.list().elements().size() == 1
                        && isIdent(more.list().elements().get(0), loop.iterVar())
                        && isIdent(loop.result(), result);
        if (isFilter) {
            return new Macro('W', args.get(0));
        }
        throw other();
    }

    private static boolean isIdent(CelExpr part, String name) {
        return part.getKind() == ExprKind.Kind.IDENT && part.ident().name().equals(name);
    }

    private static boolean isConstant(CelExpr part, CelConstant value) {
        return part.getKind() == ExprKind.Kind.CONSTANT && part.constant().equals(value);
    }

    private static ConstraintException other() {
        return Translator.unsupported("a macro other than has, all, exists, exists_one and filter");
    }
}
