package dev.ovation.rules.reader;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.ovation.configuration.ConfigurationSchema;
import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The JSON Schemas and the reader agree. A document that the reader accepts is valid by its schema,
 * so an editor reports no false error. A document that the schema accepts is refused only for what
 * a schema of one file cannot say.
 */
@Beside
class SchemaAgreementTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final long SEED = Long.getLong("seed", 20);
    private static final int ROUNDS = Integer.getInteger("schema.rounds", 4_000);

    /** References, repetitions, and the greatest number as a text. */
    private static final Pattern BEYOND_A_SCHEMA =
            Pattern.compile(
                    "which is not defined|which is not in reaction set| twice|is already defined"
                            + "|is the reaction of line|must be at most 2147483647: \"4294967296\"");

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "5",
                    "1.5",
                    "4294967296",
                    "\"\"",
                    "\"a\"",
                    "\"a b\"",
                    "\"5\"",
                    "\"05\"",
                    "\"-1.25\"",
                    "\"4294967296\"",
                    "\"unicode\"",
                    "\"custom\"",
                    "\"emoji\"",
                    "\"fold\"",
                    "\"https://example.org/a.png\"",
                    "\"DATA:image/png;base64,AA\"",
                    "\"http://example.org/a.png\"",
                    "\"https://a b\"",
                    "\"\\u0007\"",
                    "\"" + "x".repeat(256) + "\"",
                    "\"" + "x".repeat(257) + "\"",
                    "[]",
                    "[\"a\"]",
                    "[[]]",
                    "[[\"a\", null]]",
                    "[[\"a\"], [\"b\", \"a\"]]",
                    "{}",
                    "{\"id\": \"a\"}",
                    "{\"age\": \"int\"}",
                    "{\"age\": \"float\"}",
                    "{\"age\": {\"type\": \"int\"}}",
                    "{\"age\": {\"from\": \"token\"}}",
                    "{\"age\": {\"type\": \"int\", \"from\": \"body\"}}",
                    "{\"age\": {\"type\": \"int\", \"is\": 1}}");

    private static final List<String> KEYS =
            List.of(
                    "id",
                    "type",
                    "code",
                    "url",
                    "short_name",
                    "value",
                    "reaction_ids",
                    "open",
                    "skin_tones",
                    "reaction_set_id",
                    "max_uniq_reactions",
                    "max_reactions_per_user",
                    "mutually_exclusive_reactions",
                    "attributes",
                    "constraints",
                    "available",
                    "Id",
                    "comment");

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Map<String, Schema> schemas = new LinkedHashMap<>();

    SchemaAgreementTest() {
        SchemaRegistry registry =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        for (ConfigurationSchema each : ConfigurationSchema.values()) {
            schemas.put(each.label() + ".yaml", registry.getSchema(JSON.readTree(each.json())));
        }
    }

    @Test
    void agreeAboutGeneratedDocuments() {
        int valid = 0;
        int refusedByBoth = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, JsonNode> files = generated();
            for (int i = random.nextInt(3); i > 0; i--) {
                alter(files);
            }
            List<String> bySchema = bySchema(files);
            List<String> byReader = byReader(files);
            String as = "-Dseed=%d, round %d: %s".formatted(SEED, round, files);
            if (byReader.isEmpty()) {
                assertThat(bySchema).as(as).isEmpty();
                valid++;
            } else if (bySchema.isEmpty()) {
                assertThat(byReader)
                        .as(as)
                        .allSatisfy(line -> assertThat(line).containsPattern(BEYOND_A_SCHEMA));
            } else {
                refusedByBoth++;
            }
        }
        assertThat(valid).as("accepted by both").isGreaterThan(ROUNDS / 4);
        assertThat(refusedByBoth).as("refused by both").isGreaterThan(ROUNDS / 4);
    }

    /** Names that the reader knows are in its message about one that it does not know. */
    @ParameterizedTest
    @EnumSource(ConfigurationSchema.class)
    void knowTheSameMembers(ConfigurationSchema file) {
        Map<String, JsonNode> files = new LinkedHashMap<>(generated());
        files.put(file.label() + ".yaml", JSON.readTree("[{\"unknown-member\": 1}]"));

        String known =
                byReader(files).stream()
                        .filter(line -> line.contains("unknown-member"))
                        .findFirst()
                        .orElseThrow();

        JsonNode properties = JSON.readTree(file.json()).at("/items/properties");
        assertThat(new TreeSet<>(properties.propertyNames()))
                .containsExactlyInAnyOrder(known.replaceAll(".*which has ", "").split(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"config", "src/gatling/resources/simulation/rules"})
    void acceptTheFilesThatShip(String folder) throws IOException {
        for (String name : Documents.FILES) {
            Object tree =
                    new org.yaml.snakeyaml.Yaml()
                            .load(Files.readString(Path.of(folder).resolve(name)));
            assertThat(schemas.get(name).validate(JSON.<JsonNode>valueToTree(tree)))
                    .as(name)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ConfigurationSchema.class)
    void isNamedByTheFileThatShips(ConfigurationSchema file) throws IOException {
        assertThat(Files.readString(Path.of("config", file.label() + ".yaml")))
                .startsWith(
                        "# yaml-language-server: $schema=%s.schema.json\n".formatted(file.label()));
        assertThat(Files.readAllBytes(Path.of("config", file.label() + ".schema.json")))
                .isEqualTo(file.json());
    }

    private List<String> bySchema(Map<String, JsonNode> files) {
        var violations = new ArrayList<String>();
        files.forEach(
                (name, tree) ->
                        schemas.get(name)
                                .validate(tree)
                                .forEach(each -> violations.add(name + each)));
        return violations;
    }

    private static List<String> byReader(Map<String, JsonNode> files) {
        var bytes = new LinkedHashMap<String, byte[]>();
        files.forEach((name, tree) -> bytes.put(name, RulesFixture.bytes(tree.toString())));
        try {
            var _ = ConfigurationFiles.read(bytes, true, new ViolationCollector());
            return List.of();
        } catch (InvalidConfigurationException e) {
            return e.violations().stream().map(Object::toString).toList();
        }
    }

    /** Three documents that are valid together. */
    private Map<String, JsonNode> generated() {
        var files = new LinkedHashMap<String, JsonNode>();
        files.put(Documents.REACTIONS, reactions());
        files.put(
                Documents.REACTION_SETS,
                JSON.readTree(
                        """
                        [{"id": "s", "reaction_ids": ["a", 5, "c"], "open": "emoji"},
                         {"id": true, "reaction_ids": [], "skin_tones": "keep", "open": null}]
                        """));
        files.put(Documents.NAMESPACES, namespaces());
        return files;
    }

    private ArrayNode reactions() {
        ArrayNode list = JSON.createArrayNode();
        ObjectNode first = list.addObject().put("id", "a").put("type", "unicode").put("code", "a");
        if (random.nextBoolean()) {
            first.put("value", 1.5).put("short_name", "").putNull("url");
        }
        list.addObject().put("id", 5).put("type", "unicode").put("code", 5).put("value", "-2.25");
        ObjectNode third = list.addObject().put("id", "c").put("type", "custom");
        third.put("url", "https://example.org/" + random.nextInt(100));
        if (random.nextBoolean()) {
            third.put("code", "").putNull("value");
            ObjectNode available =
                    third.putObject("available").put("until", "2026-12-27T00:00:00Z");
            ObjectNode audience = available.putNull("from").putObject("audience");
            audience.putObject("age").put("min", 18).put("max", "99");
            audience.putNull("gender").putArray("country").add("TW").add("jp");
        }
        return list;
    }

    private ArrayNode namespaces() {
        ArrayNode list = JSON.createArrayNode();
        ObjectNode first = list.addObject().put("id", "n.1").put("reaction_set_id", "s");
        first.put("max_uniq_reactions", random.nextInt(5));
        if (random.nextBoolean()) {
            first.putArray("mutually_exclusive_reactions").addArray().add("a").add(5);
            first.putNull("max_reactions_per_user");
            ObjectNode attributes = first.putObject("attributes").put("age", "int");
            attributes.putObject("roles").put("type", "list").put("from", "token");
            attributes.putObject("country").put("type", "string").putNull("from");
            first.putArray("constraints")
                    .addObject()
                    .put("id", "few")
                    .put("expression", "entity.total < 1000")
                    .put("message", "There are 1,000 reactions already");
        }
        list.addObject()
                .put("id", 7)
                .put("reaction_set_id", true)
                .put("max_uniq_reactions", "3")
                .put("max_reactions_per_user", Integer.MAX_VALUE);
        return list;
    }

    /** Alters one place of one document. */
    private void alter(Map<String, JsonNode> files) {
        String name = Documents.FILES.get(random.nextInt(Documents.FILES.size()));
        JsonNode root = files.get(name);
        JsonNode value = JSON.readTree(one(VALUES));
        if (!root.isArray() || root.isEmpty() || random.nextInt(20) == 0) {
            files.put(name, value);
            return;
        }
        int at = random.nextInt(root.size());
        if (!(root.get(at) instanceof ObjectNode item) || random.nextInt(20) == 0) {
            ((ArrayNode) root).set(at, value);
            return;
        }
        String key = random.nextInt(4) == 0 ? one(KEYS) : one(List.copyOf(item.propertyNames()));
        if (random.nextInt(4) == 0) {
            item.remove(key);
        } else {
            item.set(key, value);
        }
    }

    private String one(List<String> many) {
        return many.isEmpty() ? "id" : many.get(random.nextInt(many.size()));
    }
}
