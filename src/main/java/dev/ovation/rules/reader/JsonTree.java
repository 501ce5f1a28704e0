package dev.ovation.rules.reader;

import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses JSON to the tree that YAML is parsed to. A YAML parser accepts most of JSON, but refuses
 * the escape {@code \/}.
 */
final class JsonTree {

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(Documents.MAX_DEPTH)
                                    .build())
                    .build();

    private final JsonParser parser;

    private JsonTree(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * @throws JacksonException if it is not exactly one JSON value
     */
    static Node read(String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                throw new NotOneValueException(parser, "there is nothing in it");
            }
            Node root = new JsonTree(parser).node();
            if (parser.nextToken() != null) {
                throw new NotOneValueException(parser, "something follows its end");
            }
            return root;
        }
    }

    /** Returns a description of the error, without the words of the parser. */
    static String reason(JacksonException refused) {
        return switch (refused) {
            case NotOneValueException own -> own.getOriginalMessage();
            case StreamConstraintsException _ ->
                    "it nests deeper than %d levels, or has too long a number or name"
                            .formatted(Documents.MAX_DEPTH);
            case UnexpectedEndOfInputException _ -> "it ends too early";
            default -> "it is malformed";
        };
    }

    private Node node() {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping();
            case START_ARRAY -> sequence();
            case VALUE_NULL -> scalar(Tag.NULL);
            default -> scalar(Tag.STR);
        };
    }

    private Node mapping() {
        Mark start = mark();
        List<NodeTuple> tuples = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Node key = scalar(Tag.STR);
            parser.nextToken();
            tuples.add(new NodeTuple(key, node()));
        }
        return new MappingNode(Tag.MAP, true, tuples, start, mark(), FlowStyle.FLOW);
    }

    private Node sequence() {
        Mark start = mark();
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new SequenceNode(Tag.SEQ, true, items, start, mark(), FlowStyle.FLOW);
    }

    private Node scalar(Tag tag) {
        Mark mark = mark();
        return new ScalarNode(tag, parser.getString(), mark, mark, ScalarStyle.DOUBLE_QUOTED);
    }

    private Mark mark() {
        int line = parser.currentTokenLocation().getLineNr();
        return new Mark("json", 0, line - 1, 0, new int[0], 0);
    }

    /** The text has no value, or more than one. */
    private static final class NotOneValueException extends StreamReadException {

        private static final long serialVersionUID = 1L;

        NotOneValueException(JsonParser parser, String message) {
            super(parser, message);
        }
    }
}
