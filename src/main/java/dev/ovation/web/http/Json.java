package dev.ovation.web.http;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * JSON, written byte for byte as Go's encoding/json writes it (compact, HTML characters escaped,
 * all other characters literal), and read strictly. Records are written member by member in their
 * order, in snake_case, without the members that are null.
 */
public final class Json {

    /** Greatest nesting of objects and lists; valid requests have at most 6. */
    public static final int MAX_DEPTH = 16;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .characterEscapes(new GoEscapes())
                                    .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .build())
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .changeDefaultPropertyInclusion(
                            always -> always.withValueInclusion(JsonInclude.Include.NON_NULL))
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Json() {}

    /** The value as JSON in UTF-8, without a newline at its end. */
    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /**
     * Reads exactly one JSON value. A byte order mark before it is skipped, as RFC 8259 allows.
     *
     * @throws CharacterCodingException when the bytes are not UTF-8
     * @throws JacksonException when they are not one JSON value, nest deeper than 16 levels, or
     *     hold an object with two members of one name; see {@link #problem}
     */
    public static JsonNode read(byte[] bytes) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        return MAPPER.readTree(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    /**
     * Describes an error of {@link #read} as the second half of a sentence, with its position if
     * known. The message of the exception is not used: it names the parser and quotes the input.
     */
    public static String problem(JacksonException refused) {
        String reason =
                switch (refused) {
                    case StreamConstraintsException _ ->
                            "it nests deeper than %d levels, or has too long a number or name"
                                    .formatted(MAX_DEPTH);
                    case UnexpectedEndOfInputException _ -> "it ends too early";
                    case MismatchedInputException _ -> "something follows its end";
                    default -> "it is malformed, or an object has two members of one name";
                };
        var at = refused.getLocation();
        return at == null || at.getLineNr() < 1
                ? "is not JSON: " + reason
                : "is not JSON: %s (line %d, column %d)"
                        .formatted(reason, at.getLineNr(), at.getColumnNr());
    }

    /** Go escapes for HTML and JavaScript, and has no short forms for backspace and form feed. */
    private static final class GoEscapes extends CharacterEscapes {

        private final int[] ascii = standardAsciiEscapesForJSON();

        GoEscapes() {
            for (char c : "<>&\b\f".toCharArray()) {
                ascii[c] = ESCAPE_STANDARD;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii.clone();
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int point) {
            return switch (point) {
                case 0x2028 -> new SerializedString("\\u2028");
                case 0x2029 -> new SerializedString("\\u2029");
                default -> null;
            };
        }
    }
}
