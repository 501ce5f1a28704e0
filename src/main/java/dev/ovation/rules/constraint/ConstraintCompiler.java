package dev.ovation.rules.constraint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.compiler.CelCompiler;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Checks expressions with CEL, and translates them to programs. One thread uses an instance. */
public final class ConstraintCompiler {

    /** Greatest number of steps of an evaluation, for lists of usual size. */
    static final long MOST_STEPS = 10_000;

    private static final String SEPARATOR = "\u001f";

    /**
     * Trees of expressions that CEL has accepted. A check takes milliseconds, and each version of a
     * configuration repeats most expressions of the one before.
     */
    private static final Cache<Expression, CelAbstractSyntaxTree> CHECKED =
            Caffeine.newBuilder().maximumSize(256).executor(Runnable::run).build();

    private record Expression(Map<String, AttributeType> attributes, String text) {}

    private final Map<String, AttributeType> attributes;
    private final UnaryOperator<String> key;
    private @Nullable CelCompiler compiler;

    /**
     * Creates a compiler.
     *
     * @param attributes declared attributes by name
     * @param key gives the key of a reaction in any spelling
     */
    public ConstraintCompiler(Map<String, AttributeType> attributes, UnaryOperator<String> key) {
        this.attributes = Map.copyOf(attributes);
        this.key = key;
    }

    /**
     * Compiles an expression.
     *
     * @throws ConstraintException when CEL refuses it, or it cannot be translated
     */
    public CompiledConstraint compile(String expression) throws ConstraintException {
        return translate(checked(expression));
    }

    CelAbstractSyntaxTree checked(String text) throws ConstraintException {
        var expression = new Expression(attributes, text);
        var known = CHECKED.getIfPresent(expression);
        if (known != null) {
            return known;
        }
        var tree = check(text);
        CHECKED.put(expression, tree);
        return tree;
    }

    private CelAbstractSyntaxTree check(String text) throws ConstraintException {
        if (compiler == null) {
            compiler = ConstraintEnvironment.compiler(attributes);
        }
        try {
            CelValidationResult result = compiler.compile(text);
            if (result.hasError()) {
                throw refused(result.getErrors().getFirst());
            }
            return result.getAst();
        } catch (CelValidationException e) {
            throw new ConstraintException("is not a constraint: " + firstLine(e.getMessage()));
        }
    }

    private CompiledConstraint translate(CelAbstractSyntaxTree tree) throws ConstraintException {
        var translator = new Translator(attributes, key);
        Fragment whole = translator.translate(tree.getExpr());
        if (!whole.is(Fragment.Kind.BOOL)) {
            throw new ConstraintException("must be true or false");
        }
        if (whole.cost() > MOST_STEPS) {
            throw new ConstraintException(
                    "may take %d steps, which is more than %d".formatted(whole.cost(), MOST_STEPS));
        }
        Variables variables = translator.variables();
        boolean judgesRemovals = variables.uses("op") || variables.uses("removed");
        return new CompiledConstraint(
                (judgesRemovals ? "r" : "-") + SEPARATOR + String.join(SEPARATOR, whole.tokens()),
                judgesRemovals,
                variables.uses("user.last_reacted_at"),
                variables.attributes(),
                translator.reactions(),
                whole.cost());
    }

    private static ConstraintException refused(CelIssue issue) {
        return new ConstraintException(
                "is not a constraint: %s (line %d, column %d of the expression)"
                        .formatted(
                                firstLine(issue.getMessage()),
                                issue.getSourceLocation().getLine(),
                                issue.getSourceLocation().getColumn() + 1));
    }

    private static String firstLine(@Nullable String message) {
        return String.valueOf(message).lines().findFirst().orElse("");
    }
}
