package dev.ovation.openapi;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.TestRules;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Generates values that a schema of the document allows, from a seed. */
final class Samples {

    /** Names that the service has, so that requests get past the checks of ids. */
    private static final Map<String, List<String>> WORDS =
            Map.ofEntries(
                    Map.entry(
                            "namespace_id",
                            List.of("posts", "letters", "pairs", "ratings", "unknown")),
                    Map.entry("entity_id", List.of("generated", TestRules.ODD)),
                    Map.entry("user_id", List.of("ann", "ben")),
                    Map.entry("country", List.of("TW", "jp")),
                    Map.entry("viewer_id", List.of("ann", "ben")),
                    Map.entry("url", List.of("https://receiver.invalid/changes")),
                    Map.entry("webhook_id", List.of("generated")),
                    Map.entry("from", List.of("2025-11-21T10:00:00Z")),
                    Map.entry("reaction_id", List.of("👍", "❤", "a", "b", "c", "5")),
                    Map.entry(
                            "avatar_url",
                            List.of("https://example.org/ann.png", "https://a.org?%7e#é")),
                    Map.entry(
                            "until", List.of("2100-01-01T00:00:00Z", "2001-02-03T04:05:06.789Z")));

    private static final List<String> ALPHABETS =
            List.of(
                    "abcXYZ019._-",
                    " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~",
                    "äßñéλжあ漢한",
                    "👍❤️👩‍💻🏽🇩🇪\ufe0f\u200d\u0301",
                    "\u2028\u2029\u202e\u200b\ufeff\ufffd\ue000\uffff\u00a0");

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int TRIES = 200;

    private final ApiDocument document;
    private final SplittableRandom random;

    Samples(ApiDocument document, SplittableRandom random) {
        this.document = document;
        this.random = random;
    }

    /**
     * A value that the schema allows.
     *
     * @param name of its member or parameter
     */
    JsonNode of(String name, JsonNode referenced) {
        JsonNode schema = document.resolve(referenced);
        if (schema.has("x-accepts-too") && chance(25)) {
            return of(name, one(schema.get("x-accepts-too")));
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.has("enum")) {
            return one(schema.get("enum"));
        }
        if (schema.has("anyOf")) {
            return of(name, one(schema.get("anyOf")));
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? one(type).stringValue() : type.asString("string")) {
            case "null" -> JSON.nullNode();
            case "boolean" -> JSON.valueToTree(random.nextBoolean());
            case "integer", "number" -> JSON.valueToTree(integer(schema));
            case "array" -> array(name, schema);
            case "object" -> object(schema);
            default -> JSON.valueToTree(text(name, schema, ALPHABETS));
        };
    }

    /** A text that the schema allows and a header line can contain. */
    String header(JsonNode schema) {
        JsonNode all = schema.path(schema.has("enum") ? "enum" : "examples");
        return all.isEmpty()
                ? text("", document.resolve(schema), ALPHABETS.subList(0, 1))
                : one(all).stringValue();
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T one(List<T> many) {
        return many.get(random.nextInt(many.size()));
    }

    private JsonNode one(JsonNode array) {
        return array.get(random.nextInt(array.size()));
    }

    private long integer(JsonNode schema) {
        long least = schema.path("minimum").asLong(0);
        long most = schema.path("maximum").asLong(least + 1000);
        return chance(30) ? (chance(50) ? least : most) : random.nextLong(least, most + 1);
    }

    private JsonNode array(String name, JsonNode schema) {
        int least = schema.path("minItems").asInt(0);
        int most = schema.path("maxItems").asInt(3);
        int size = chance(5) ? most : random.nextInt(least, Math.min(most, least + 4) + 1);
        var array = JSON.createArrayNode();
        IntStream.range(0, size).forEach(_ -> array.add(of(singular(name), schema.path("items"))));
        return array;
    }

    private static String singular(String name) {
        return name.equals("entities") ? "entity_id" : name.replaceAll("s$", "");
    }

    private ObjectNode object(JsonNode schema) {
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::stringValue).toList();
        var object = JSON.createObjectNode();
        schema.path("properties")
                .forEachEntry(
                        (name, member) -> {
                            if (required.contains(name) || chance(50)) {
                                object.set(name, of(name, member));
                            }
                        });
        return object;
    }

    /** Draws until the schema accepts a text. */
    private String text(String name, JsonNode schema, List<String> alphabets) {
        for (int i = 0; i < TRIES; i++) {
            String text =
                    WORDS.containsKey(name) && chance(70)
                            ? one(WORDS.get(name))
                            : random(schema, one(alphabets));
            if (document.errors(schema, JSON.valueToTree(text)).isEmpty()) {
                return text;
            }
        }
        throw new AssertionError("no text found for " + schema);
    }

    private String random(JsonNode schema, String alphabet) {
        int most = schema.path("maxLength").asInt(40);
        int length = chance(10) ? most : random.nextInt(Math.min(most, 12) + 1);
        int[] points = alphabet.codePoints().toArray();
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        int mostBytes = schema.path("x-max-bytes").asInt(Integer.MAX_VALUE);
        while (text.toString().getBytes(StandardCharsets.UTF_8).length > mostBytes) {
            text.setLength(text.offsetByCodePoints(text.length(), -1));
        }
        return text.toString();
    }
}
