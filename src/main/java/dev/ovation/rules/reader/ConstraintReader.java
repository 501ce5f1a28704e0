package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.DocumentValue.quote;

import dev.ovation.entity.Ids;
import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.rules.constraint.CompiledConstraint;
import dev.ovation.rules.constraint.Constraint;
import dev.ovation.rules.constraint.ConstraintCompiler;
import dev.ovation.rules.constraint.ConstraintException;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the attributes and the constraints of a namespace, and compiles each constraint. */
final class ConstraintReader {

    private static final int MOST = 20;
    private static final int MOST_ATTRIBUTES = 32;
    private static final int MAX_BYTES = 4_000;

    /** Steps of all constraints of a namespace: about two milliseconds of Redis. */
    private static final long MOST_STEPS = 20_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final Pattern BREAK = Pattern.compile("[\\n\\r\\t]");

    private final ConfiguredItem namespace;
    private final UnaryOperator<String> key;
    private final @Nullable Set<String> reactions;

    /**
     * Creates a reader.
     *
     * @param key gives the key of a reaction in any spelling
     * @param reactions keys that expressions may name; null for any
     */
    ConstraintReader(
            ConfiguredItem namespace, UnaryOperator<String> key, @Nullable Set<String> reactions) {
        this.namespace = namespace;
        this.key = key;
        this.reactions = reactions;
    }

    /** Returns the declared attributes by name. */
    Map<String, AttributeType.Declaration> attributes() {
        var declared = new LinkedHashMap<String, AttributeType.Declaration>();
        DocumentValue value = namespace.fields().get("attributes");
        if (value == null) {
            return declared;
        }
        value.entries(namespace.name("attributes"))
                .forEach(
                        (name, each) -> {
                            AttributeType.Declaration declaration = declaration(name, each);
                            if (!NAME.matcher(name).matches()) {
                                each.problem(
                                        "attribute %s must be 1 to 64 of the characters A-Z a-z 0-9 _, and not begin with a digit"
                                                .formatted(quote(name)));
                            } else if (declaration != null) {
                                declared.put(name, declaration);
                            }
                        });
        if (declared.size() > MOST_ATTRIBUTES) {
            namespace.problem("attributes", "must not be more than " + MOST_ATTRIBUTES);
        }
        return declared;
    }

    /** Reads a type, or an object of {@code type} and {@code from}; null when it is invalid. */
    private static AttributeType.@Nullable Declaration declaration(
            String name, DocumentValue value) {
        String attribute = "attribute " + quote(name);
        if (!(value.node() instanceof MappingNode)) {
            String type = type(attribute, value);
            return type == null ? null : new AttributeType.Declaration(type, null);
        }
        Map<String, DocumentValue> members = value.mapping(attribute, List.of("type", "from"));
        if (members == null) {
            return null;
        }
        DocumentValue type = members.get("type");
        DocumentValue from = members.get("from");
        if (type == null) {
            value.problem("the type of " + attribute + " is missing");
        }
        String source = from == null ? null : from.text("from of " + attribute);
        if (from != null && source != null && !source.equals(AttributeType.Declaration.TOKEN)) {
            from.problem(
                    "from of %s must be %s, not %s"
                            .formatted(attribute, AttributeType.Declaration.TOKEN, quote(source)));
        }
        String label = type == null ? null : type(attribute, type);
        return label == null ? null : new AttributeType.Declaration(label, source);
    }

    private static @Nullable String type(String attribute, DocumentValue value) {
        String label = value.text("the type of " + attribute);
        if (label != null && AttributeType.of(label) == null) {
            value.problem(
                    "%s must be one of %s, not %s".formatted(attribute, labels(), quote(label)));
            return null;
        }
        return label;
    }

    private static String labels() {
        return Arrays.stream(AttributeType.values())
                .map(AttributeType::label)
                .collect(Collectors.joining(", "));
    }

    /** Returns the constraints in their order. */
    List<Constraint> constraints(Map<String, AttributeType.Declaration> attributes) {
        List<DocumentValue> values = namespace.optionalList("constraints");
        var constraints = new ArrayList<Constraint>();
        if (values == null || values.isEmpty()) {
            return constraints;
        }
        if (values.size() > MOST) {
            namespace.problem("constraints", "must not be more than " + MOST);
            return constraints;
        }
        var types = new HashMap<String, AttributeType>();
        attributes.forEach(
                (name, each) -> {
                    AttributeType type = AttributeType.of(each.type());
                    if (type != null) {
                        types.put(name, type);
                    }
                });
        var compiler = new ConstraintCompiler(types, key);
        var lines = new HashMap<String, Integer>();
        long steps = 0;
        for (DocumentValue value : values) {
            var item =
                    ConfiguredItem.of(value, "constraint", List.of("id", "expression", "message"));
            if (item == null) {
                continue;
            }
            String id = item.requiredText("id", Ids.MAX_BYTES);
            Integer first = id == null ? null : lines.putIfAbsent(id, item.line("id"));
            if (first != null) {
                item.problem("id", "is already defined in line " + first);
            }
            String message = item.requiredText("message", Ids.MAX_BYTES);
            String expression = expression(item);
            CompiledConstraint compiled = compiled(item, expression, compiler);
            steps += compiled == null ? 0 : compiled.cost();
            if (id != null && message != null && expression != null) {
                constraints.add(new Constraint(id, expression, message));
            }
        }
        if (steps > MOST_STEPS) {
            namespace.problem(
                    "constraints",
                    "may take %d steps together, which is more than %d"
                            .formatted(steps, MOST_STEPS));
        }
        return constraints;
    }

    /** Reads an expression, which may have several lines. */
    private static @Nullable String expression(ConfiguredItem item) {
        DocumentValue value = item.fields().get("expression");
        if (value == null) {
            item.problem("expression", "is missing");
            return null;
        }
        String text = value.text(item.name("expression"));
        if (text == null) {
            return null;
        }
        String line = BREAK.matcher(text).replaceAll(" ").strip();
        String problem = line.isEmpty() ? "must not be empty" : Ids.problem(line, MAX_BYTES);
        if (problem != null) {
            item.problem("expression", problem);
            return null;
        }
        return line;
    }

    private @Nullable CompiledConstraint compiled(
            ConfiguredItem item, @Nullable String expression, ConstraintCompiler compiler) {
        if (expression == null) {
            return null;
        }
        try {
            CompiledConstraint compiled = compiler.compile(expression);
            for (String named : compiled.reactions()) {
                if (reactions != null && !reactions.contains(named)) {
                    item.problem(
                            "expression",
                            "names %s, which is not in the reaction set; a reaction of the API must be defined in these lists to be named"
                                    .formatted(quote(named)));
                }
            }
            return compiled;
        } catch (ConstraintException e) {
            item.problem("expression", String.valueOf(e.getMessage()));
            return null;
        }
    }
}
