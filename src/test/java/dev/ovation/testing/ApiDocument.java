package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.JDKRegularExpressionFactory;
import com.networknt.schema.regex.RegularExpression;

import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The operations and schemas of the OpenAPI documents that an instance serves. */
public final class ApiDocument {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final JsonNode root;
    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder ->
                            builder.schemaRegistryConfig(
                                    SchemaRegistryConfig.builder()
                                            .formatAssertionsEnabled(true)
                                            .regularExpressionFactory(ApiDocument::pattern)
                                            .build()));
    private final Map<JsonNode, Schema> schemas = byIdentity();
    private final Map<JsonNode, Schema> closed = byIdentity();

    private ApiDocument(JsonNode root) {
        this.root = root;
    }

    /** The nodes of the document: a hash code would visit all that a node contains. */
    private static Map<JsonNode, Schema> byIdentity() {
        return Collections.synchronizedMap(new IdentityHashMap<>());
    }

    /** One method of one path, with its members in the document. */
    public record Operation(String method, String path, JsonNode json) {

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /**
     * Reads the documents of this instance, that of the service and that of the contest.
     *
     * @param headers names and values that authenticate this test
     */
    public static ApiDocument of(Instance instance, String... headers) {
        var whole = (ObjectNode) read(instance, "/v3/api-docs", headers);
        JsonNode contest = read(instance, "/v3/api-docs/pcc", headers);
        for (String part : List.of("/paths", "/components/schemas", "/components/responses")) {
            var members = (ObjectNode) whole.at(part);
            contest.at(part).forEachEntry(members::set);
        }
        return new ApiDocument(whole);
    }

    private static JsonNode read(Instance instance, String path, String... headers) {
        Answer answer = instance.send("GET", path, null, headers);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    public JsonNode json() {
        return root;
    }

    public List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        root.get("paths")
                .forEachEntry(
                        (path, item) ->
                                item.forEachEntry(
                                        (method, json) ->
                                                operations.add(
                                                        new Operation(
                                                                method.toUpperCase(Locale.ROOT),
                                                                path,
                                                                json))));
        return operations;
    }

    /** The parameters of the path and of the operation. */
    public List<JsonNode> parameters(Operation operation) {
        return operation.json().path("parameters").valueStream().map(this::resolve).toList();
    }

    /** Resolves a reference that stands for the whole object. */
    public JsonNode resolve(JsonNode node) {
        JsonNode found = node;
        while (found.has("$ref")) {
            found = root.at(found.get("$ref").stringValue().substring(1));
        }
        return found;
    }

    /**
     * Errors of a value of a request by this schema of the document; empty for a valid value and
     * for one of {@code x-accepts-too}.
     */
    public List<String> errors(JsonNode schema, JsonNode value) {
        return errors(schemas.computeIfAbsent(schema, this::compileOpen), value);
    }

    /**
     * Errors of a value of an answer or an example; members that the schema does not name are
     * errors, too.
     */
    public List<String> errorsAndSurplus(JsonNode schema, JsonNode value) {
        return errors(closed.computeIfAbsent(schema, this::compileClosed), value);
    }

    /**
     * Repeated groups are possessive. For others Java recurses once for each repetition, and a
     * header may hold thousands. No group of the document needs backtracking.
     */
    private static RegularExpression pattern(String regex) {
        return JDKRegularExpressionFactory.getInstance()
                .getRegularExpression(regex.replace(")*", ")*+"));
    }

    private static List<String> errors(Schema schema, JsonNode value) {
        return schema.validate(value).stream().map(Object::toString).toList();
    }

    /**
     * Finds a media type without its parameters; null if there is none. The types of the actuator
     * are other names of {@code application/json}.
     */
    static JsonNode media(JsonNode content, String type) {
        String essence =
                essence(type)
                        .replaceFirst(
                                "^application/vnd\\.spring-boot\\.actuator\\.v\\d\\+json$",
                                "application/json");
        for (String each : content.propertyNames()) {
            if (essence(each).equals(essence)) {
                return content.get(each);
            }
        }
        return null;
    }

    /** Converts a text from a query or a header to JSON of the schema's type. */
    JsonNode typed(JsonNode schema, String text) {
        String type = resolve(schema).path("type").asString("");
        if (type.equals("integer") && text.matches("-?\\d+")) {
            return JSON.valueToTree(new BigInteger(text));
        }
        if (type.equals("boolean") && text.matches("true|false")) {
            return JSON.valueToTree(Boolean.valueOf(text));
        }
        return JSON.valueToTree(text);
    }

    private static String essence(String type) {
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private Schema compileOpen(JsonNode schema) {
        return compile(
                Extensions.ofRequests(schema), Extensions.ofRequests(root.get("components")));
    }

    private Schema compileClosed(JsonNode schema) {
        var closing = new ClosedSchemas(this);
        var components = JSON.createObjectNode();
        var named = components.putObject("schemas");
        root.at("/components/schemas")
                .forEachEntry((name, each) -> named.set(name, closing.inside(each)));
        return compile(
                Extensions.ofAnswers(closing.whole(schema)), Extensions.ofAnswers(components));
    }

    /** Copies the components, because references of the document start at its root. */
    private Schema compile(JsonNode schema, JsonNode components) {
        var whole = JSON.createObjectNode();
        whole.set("components", components);
        whole.putArray("allOf").add(schema);
        return registry.getSchema(whole);
    }
}
