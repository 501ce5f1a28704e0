package dev.ovation.rules.reader;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A value in a document, and its place. A read as another type returns null and adds a violation.
 *
 * @param strict whether keys of mappings must be written exactly; otherwise case, underscores and
 *     the plural do not matter
 */
record DocumentValue(Node node, String file, boolean strict, ViolationCollector problems) {

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cs}]");

    int line() {
        return node.getStartMark().getLine() + 1;
    }

    void problem(String message) {
        problems.add(file, line(), message);
    }

    boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    /** Returns the scalar as it is written, whatever its type in YAML. */
    @Nullable String text(String name) {
        if (node instanceof ScalarNode scalar && !isNull()) {
            return scalar.getValue();
        }
        problem(name + " must be a single value, " + kind());
        return null;
    }

    @Nullable List<DocumentValue> list(String name) {
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream().map(this::at).toList();
        }
        problem(name + " must be a list, " + kind());
        return null;
    }

    /** Returns the mapping's values by these names, without nulls; other names are violations. */
    @Nullable Map<String, DocumentValue> mapping(String name, List<String> names) {
        if (!(node instanceof MappingNode mapping)) {
            problem(name + " must be a mapping of keys to values, " + kind());
            return null;
        }
        Map<String, DocumentValue> values = new HashMap<>();
        Map<String, Integer> lines = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            DocumentValue key = at(tuple.getKeyNode());
            String written = key.text("a key of " + name);
            if (written == null) {
                continue;
            }
            String known = names.stream().filter(n -> matches(n, written)).findFirst().orElse(null);
            if (known == null) {
                key.problem(
                        "unknown key %s in %s, which has %s"
                                .formatted(quote(written), name, String.join(", ", names)));
                continue;
            }
            Integer first = lines.putIfAbsent(known, key.line());
            if (first != null) {
                key.problem("%s is there twice, first in line %d".formatted(known, first));
            } else if (!at(tuple.getValueNode()).isNull()) {
                values.put(known, at(tuple.getValueNode()));
            }
        }
        return values;
    }

    /** Returns the mapping's values by their keys as written; null values are violations. */
    Map<String, DocumentValue> entries(String name) {
        Map<String, DocumentValue> values = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            problem(name + " must be a mapping of keys to values, " + kind());
            return values;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            DocumentValue key = at(tuple.getKeyNode());
            String written = key.text("a key of " + name);
            if (written != null && values.putIfAbsent(written, at(tuple.getValueNode())) != null) {
                key.problem("%s is there twice".formatted(quote(written)));
            }
        }
        return values;
    }

    private boolean matches(String name, String written) {
        return strict ? name.equals(written) : folded(name).equals(folded(written));
    }

    private static String folded(String key) {
        String folded = key.replace("_", "").toLowerCase(Locale.ROOT);
        return folded.endsWith("s") ? folded.substring(0, folded.length() - 1) : folded;
    }

    private DocumentValue at(Node other) {
        return new DocumentValue(other, file, strict, problems);
    }

    private String kind() {
        return switch (node) {
            case SequenceNode list -> "not a list";
            case MappingNode mapping -> "not a mapping";
            case ScalarNode scalar when isNull() -> "not empty";
            case ScalarNode scalar -> "not " + quote(scalar.getValue());
            default -> "not a " + node.getNodeId();
        };
    }

    /** Returns the value for a message: quoted, shortened, on one line. */
    static String quote(String text) {
        String start = text.substring(0, Math.min(text.length(), 100));
        String shown = UNPRINTABLE.matcher(start).replaceAll("\uFFFD");
        return '"' + shown + (start.length() < text.length() ? "…" : "") + '"';
    }
}
