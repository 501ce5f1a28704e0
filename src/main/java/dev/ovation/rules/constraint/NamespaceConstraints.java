package dev.ovation.rules.constraint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** All constraints of one namespace, as data for Redis. */
public final class NamespaceConstraints {

    /** Neither constraints nor attributes. */
    public static final NamespaceConstraints NONE =
            new NamespaceConstraints(List.of(), Map.of(), UnaryOperator.identity());

    private static final String PART = "\u001e";

    /** A program that refuses each addition: its value is not true. */
    private static final CompiledConstraint REFUSING =
            new CompiledConstraint("-\u001ff", false, false, Set.of(), Set.of(), 1);

    private final List<Constraint> constraints;
    private final Map<String, AttributeType> declared = new HashMap<>();
    private final Set<String> withheld = new HashSet<>();
    private final UnaryOperator<String> key;
    private volatile @Nullable Programs compiled;

    private record Programs(
            String text, boolean judgeRemovals, boolean useTimes, Set<String> attributes) {}

    private NamespaceConstraints(
            List<Constraint> constraints,
            Map<String, AttributeType.Declaration> attributes,
            UnaryOperator<String> key) {
        this.constraints = List.copyOf(constraints);
        this.key = key;
        attributes.forEach(
                (name, declaration) -> {
                    AttributeType type = AttributeType.of(declaration.type());
                    if (type != null) {
                        declared.put(name, type);
                    }
                    if (!declaration.isFromBody()) {
                        withheld.add(name);
                    }
                });
    }

    /**
     * Creates the constraints of a configuration that its reader accepted. They are compiled when
     * they are first asked for. One that this version of the program cannot compile refuses each
     * addition, and no change that only takes back.
     *
     * @param attributes declared attributes by name
     * @param key gives the key of a reaction in any spelling
     */
    public static NamespaceConstraints of(
            List<Constraint> constraints,
            Map<String, AttributeType.Declaration> attributes,
            UnaryOperator<String> key) {
        return constraints.isEmpty() && attributes.isEmpty()
                ? NONE
                : new NamespaceConstraints(constraints, attributes, key);
    }

    /** Compiles the constraints, so that no request has to. */
    public void compile() {
        var _ = compiled();
    }

    private Programs compiled() {
        Programs known = compiled;
        if (known == null) {
            known = compiledNow();
            compiled = known;
        }
        return known;
    }

    private Programs compiledNow() {
        var each = new ArrayList<CompiledConstraint>();
        if (!constraints.isEmpty()) {
            var compiler = new ConstraintCompiler(declared, key);
            for (Constraint constraint : constraints) {
                try {
                    each.add(compiler.compile(constraint.expression()));
                } catch (ConstraintException e) {
                    each.add(REFUSING);
                }
            }
        }
        return new Programs(
                each.stream().map(CompiledConstraint::program).collect(Collectors.joining(PART)),
                each.stream().anyMatch(CompiledConstraint::judgesRemovals),
                each.stream().anyMatch(CompiledConstraint::usesTimesOfUsers),
                each.stream()
                        .flatMap(constraint -> constraint.attributes().stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns the programs in their order, separated by U+001E; empty for none. */
    public String programs() {
        return compiled().text;
    }

    /** Returns whether a constraint judges changes that only take back. */
    public boolean judgesRemovals() {
        return compiled().judgeRemovals;
    }

    /** Returns whether a constraint needs the time of the user's last reaction. */
    public boolean usesTimesOfUsers() {
        return compiled().useTimes;
    }

    /** Returns whether a constraint reads this attribute. */
    public boolean reads(String attribute) {
        return compiled().attributes.contains(attribute);
    }

    /** Returns whether this attribute is taken from the user's token alone. */
    public boolean isWithheldFromBodies(String attribute) {
        return withheld.contains(attribute);
    }

    /** Returns the declared attributes by name. */
    public Map<String, AttributeType> attributes() {
        return Collections.unmodifiableMap(declared);
    }

    /**
     * Returns a constraint; null when there is none of this number.
     *
     * @param number its place among the programs, from 1
     */
    public @Nullable Constraint get(int number) {
        return number < 1 || number > constraints.size() ? null : constraints.get(number - 1);
    }
}
