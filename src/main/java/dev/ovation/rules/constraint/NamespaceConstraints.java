package dev.ovation.rules.constraint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** All constraints of one namespace, as data for Redis. */
public final class NamespaceConstraints {

    /** Neither constraints nor attributes. */
    public static final NamespaceConstraints NONE = new NamespaceConstraints(List.of(), Map.of());

    private static final String PART = "\u001e";

    /** A program that refuses each change: its value is not true. */
    private static final CompiledConstraint REFUSING =
            new CompiledConstraint("r\u001ff", true, false, Set.of(), Set.of(), 1);

    private final List<Constraint> constraints;
    private final Map<String, AttributeType> declared;
    private final List<CompiledConstraint> compiled = new ArrayList<>();
    private final Set<String> read = new TreeSet<>();
    private String programs = "";

    private NamespaceConstraints(
            List<Constraint> constraints, Map<String, AttributeType> declared) {
        this.constraints = List.copyOf(constraints);
        this.declared = Map.copyOf(declared);
    }

    /**
     * Compiles constraints that a reader of configurations accepted. One that this version of the
     * program cannot compile refuses each change.
     *
     * @param types types of attributes by name, as configured
     * @param key gives the key of a reaction in any spelling
     */
    public static NamespaceConstraints of(
            List<Constraint> constraints, Map<String, String> types, UnaryOperator<String> key) {
        if (constraints.isEmpty() && types.isEmpty()) {
            return NONE;
        }
        var declared = new HashMap<String, AttributeType>();
        types.forEach(
                (name, label) -> {
                    AttributeType type = AttributeType.of(label);
                    if (type != null) {
                        declared.put(name, type);
                    }
                });
        var all = new NamespaceConstraints(constraints, declared);
        if (!constraints.isEmpty()) {
            all.compile(new ConstraintCompiler(declared, key));
        }
        return all;
    }

    private void compile(ConstraintCompiler compiler) {
        for (Constraint constraint : constraints) {
            CompiledConstraint each;
            try {
                each = compiler.compile(constraint.expression());
            } catch (ConstraintException e) {
                each = REFUSING;
            }
            compiled.add(each);
            read.addAll(each.attributes());
        }
        programs =
                compiled.stream()
                        .map(CompiledConstraint::program)
                        .collect(Collectors.joining(PART));
    }

    /** Returns the programs in their order, separated by U+001E; empty for none. */
    public String programs() {
        return programs;
    }

    /** Returns whether a constraint judges changes that only take back. */
    public boolean judgesRemovals() {
        return compiled.stream().anyMatch(CompiledConstraint::judgesRemovals);
    }

    /** Returns whether a constraint needs the time of the user's last reaction. */
    public boolean usesTimesOfUsers() {
        return compiled.stream().anyMatch(CompiledConstraint::usesTimesOfUsers);
    }

    /** Returns whether a constraint reads this attribute. */
    public boolean reads(String attribute) {
        return read.contains(attribute);
    }

    /** Returns the declared attributes by name. */
    public Map<String, AttributeType> attributes() {
        return declared;
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
