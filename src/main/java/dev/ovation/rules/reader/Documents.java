package dev.ovation.rules.reader;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;

import tools.jackson.core.JacksonException;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Parses the bytes of a document to a tree, within limits. */
final class Documents {

    static final String REACTIONS = "reactions.yaml";
    static final String REACTION_SETS = "reaction_sets.yaml";
    static final String NAMESPACES = "namespaces.yaml";
    static final List<String> FILES = List.of(REACTIONS, REACTION_SETS, NAMESPACES);

    static final int MAX_BYTES = 3 << 20;
    static final int MAX_DEPTH = 20;
    private static final int MAX_ALIASES = 50;

    private final boolean strict;
    private final ViolationCollector problems;

    Documents(boolean strict, ViolationCollector problems) {
        this.strict = strict;
        this.problems = problems;
    }

    /** Returns the list of a document; empty for an empty document, null when it cannot be read. */
    @Nullable List<DocumentValue> yamlList(String file, byte[] bytes) {
        try {
            Node root = yaml(file, bytes);
            return root == null ? List.of() : list(value(file, root), file);
        } catch (UnreadableException e) {
            return null;
        }
    }

    private static @Nullable List<DocumentValue> list(DocumentValue value, String name) {
        return value.isNull() ? List.of() : value.list(name);
    }

    DocumentValue value(String file, Node node) {
        return new DocumentValue(node, file, strict, problems);
    }

    /** Returns the tree of a YAML document, null for an empty one. */
    @Nullable Node yaml(String file, byte[] bytes) {
        String text = text(file, bytes);
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(MAX_BYTES);
        limits.setNestingDepthLimit(MAX_DEPTH);
        limits.setMaxAliasesForCollections(MAX_ALIASES);
        try {
            return new Yaml(limits).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw unreadable(file, line, "is not YAML: " + e.getProblem());
        } catch (ReaderException e) {
            int at = text.offsetByCodePoints(0, e.getPosition());
            String character = "U+%04X".formatted(e.getCodePoint());
            throw unreadable(file, lineAt(text, at), "must not contain " + character);
        } catch (YAMLException e) {
            throw unreadable(file, 0, "is not YAML: " + e.getMessage());
        }
    }

    /** The tree of a JSON document. */
    Node json(String file, byte[] bytes) {
        try {
            return JsonTree.read(text(file, bytes));
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw unreadable(file, line, "is not JSON: " + JsonTree.reason(e));
        }
    }

    private String text(String file, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw unreadable(file, 0, "is larger than " + MAX_BYTES + " bytes");
        }
        CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        if (utf8.decode(ByteBuffer.wrap(bytes), chars, true).isError()) {
            int line = lineAt(chars.flip(), chars.length());
            throw unreadable(file, line, "is not UTF-8");
        }
        String text = chars.flip().toString();
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static int lineAt(CharSequence text, int end) {
        return 1 + (int) text.subSequence(0, end).chars().filter(c -> c == '\n').count();
    }

    private UnreadableException unreadable(String file, int line, String message) {
        problems.add(file, line, message);
        return new UnreadableException();
    }

    /** The document cannot be parsed; the reason is recorded as a violation. */
    static final class UnreadableException extends RuntimeException {

        private UnreadableException() {
            super(null, null, false, false);
        }
    }
}
