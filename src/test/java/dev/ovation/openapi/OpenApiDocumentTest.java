package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.yaml.snakeyaml.Yaml;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares the served document with the mappings and the contract. */
@ExtendWith(TwoInstances.class)
class OpenApiDocumentTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String OPENAPI = "https://spec.openapis.org/oas/3.1/schema/2022-10-07";
    private static final String OPENAPI_FILE = "openapi-3.1.schema.json";

    private static final String WITH_JSON_SCHEMAS =
            """
            {
              "$id": "urn:ovation:openapi",
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$ref": "%s",
              "$defs": {
                "schema": {
                  "$dynamicAnchor": "meta",
                  "$ref": "https://json-schema.org/draft/2020-12/schema"
                }
              }
            }
            """
                    .formatted(OPENAPI);

    private final ApiDocument document = TwoInstances.document();

    @Test
    void isOpenApi31AsItWasWritten() throws IOException {
        JsonNode service = TwoInstances.one().get("/v3/api-docs").json();
        JsonNode contest = TwoInstances.one().get("/v3/api-docs/pcc").json();

        assertThat(service.get("openapi").stringValue()).startsWith("3.1.");
        assertThat(service).isEqualTo(JSON.valueToTree(OpenApiDocument.tree()));
        assertThat(contest).isEqualTo(JSON.valueToTree(OpenApiDocument.contest()));
        assertThat(service.get("paths").propertyNames()).doesNotContain("/pcc");
        assertThat(contest.get("paths").propertyNames()).containsExactly("/pcc");
    }

    /**
     * Validates by the schema that the OpenAPI Initiative publishes, and the contained schemas by
     * their own.
     */
    @Test
    void isValidByTheSpecification() throws IOException {
        String published = text(OPENAPI_FILE);
        var specification =
                SchemaRegistry.withDefaultDialect(
                                SpecificationVersion.DRAFT_2020_12,
                                builder -> builder.schemas(Map.of(OPENAPI, published)))
                        .getSchema(WITH_JSON_SCHEMAS);
        var spoilt = (ObjectNode) document.json().deepCopy();
        ((ObjectNode) spoilt.at("/components/schemas/Id")).put("minLength", "one");

        assertThat(specification.validate(document.json())).isEmpty();
        assertThat(specification.validate(spoilt)).isNotEmpty();
    }

    @Test
    void everyOperationHasASummaryAnIdAndOneTag() {
        assertThat(document.operations())
                .allSatisfy(
                        each -> {
                            assertThat(each.json().get("summary").stringValue()).isNotBlank();
                            assertThat(each.json().get("operationId").stringValue()).isNotBlank();
                            assertThat(each.json().get("tags").size()).isOne();
                        });
    }

    @Test
    void showsAnExampleOfEverythingThatFits() {
        assertThat(document.operations())
                .allSatisfy(each -> assertThat(Examples.wrong(document, each)).isEmpty());
    }

    @Test
    void isServedAsYamlToo() {
        Answer yaml = TwoInstances.one().get("/v3/api-docs.yaml");

        assertThat(yaml.status()).isEqualTo(200);
        assertThat(yaml.body()).startsWith("openapi: 3.1.");
        assertThat(JSON.<JsonNode>valueToTree(new Yaml().load(yaml.body())))
                .isEqualTo(TwoInstances.one().get("/v3/api-docs").json());
    }

    @Test
    void hasTheEndpointsParametersAndStatusesOfTheContract() throws IOException {
        assertThat(document.operations().stream().map(this::row))
                .containsExactlyInAnyOrderElementsOf(contract());
    }

    @Test
    void hasEveryMappingAndNoOther() {
        assertThat(document.operations().stream().map(Operation::toString))
                .containsExactlyInAnyOrderElementsOf(mappings());
    }

    @Test
    void everyIntegerSchemaHasAMinimum() {
        var unbounded = new ArrayList<String>();
        unbounded(document.json().at("/components/schemas"), "", unbounded);

        assertThat(unbounded).isEmpty();
    }

    @Test
    void namesItsReferencesRightly() {
        var broken =
                document.json().findValuesAsString("$ref").stream()
                        .filter(each -> document.json().at(each.substring(1)).isMissingNode());

        assertThat(broken).isEmpty();
    }

    @Test
    void hasAPageThatLoadsNothingFromElsewhere() {
        Answer moved = TwoInstances.one().get("/swagger-ui.html");
        Answer page = TwoInstances.one().get("/swagger-ui/index.html");
        Answer start = TwoInstances.one().get("/swagger-ui/swagger-initializer.js");
        Answer settings = TwoInstances.one().get("/v3/api-docs/swagger-config");

        assertThat(moved.status()).isEqualTo(302);
        assertThat(moved.headers()).containsEntry("location", "swagger-ui/index.html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers().get("content-security-policy")).contains("default-src 'none'");
        assertThat(page.body()).contains("swagger-ui-bundle.js").doesNotContain("//unpkg");
        assertThat(start.body()).contains("../v3/api-docs/swagger-config").doesNotContain("://");
        assertThat(settings.json().get("urls").findValuesAsString("url"))
                .containsExactly("../v3/api-docs", "../v3/api-docs/pcc");
        assertThat(settings.json().get("validatorUrl").stringValue()).isEmpty();
    }

    @Test
    void itsPageLeavesOtherPathsAlone() {
        for (String path :
                List.of(
                        "/swagger-ui",
                        "/swagger-ui/",
                        "/swagger-ui/nothing",
                        "/v3/api-docs/x",
                        "/webjars/x",
                        "/v3")) {
            Answer answer = TwoInstances.one().get(path);

            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.json().get("code").stringValue()).isEqualTo("not-found");
        }
    }

    /** A row of the contract for an operation of the document. */
    private String row(Operation operation) {
        return "%s|%s|%s"
                .formatted(
                        operation,
                        document.parameters(operation).stream()
                                .map(OpenApiDocumentTest::parameter)
                                .collect(Collectors.joining(" ")),
                        operation.json().get("responses").propertyNames().stream()
                                .map(each -> each.equals("default") ? "+" : each)
                                .collect(Collectors.joining(" ")));
    }

    private static String parameter(JsonNode parameter) {
        boolean must = parameter.path("required").asBoolean(false);
        return parameter.get("name").stringValue() + (must ? "!" : "");
    }

    private static List<String> contract() throws IOException {
        return text("contract.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("\\s+", " ").replaceAll(" ?\\| ?", "|"))
                .toList();
    }

    private static String text(String file) throws IOException {
        try (InputStream in = OpenApiDocumentTest.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The mappings of controllers and endpoints, without the document itself and pages. */
    private static Set<String> mappings() {
        return TwoInstances.one().beans(RequestMappingInfoHandlerMapping.class).stream()
                .flatMap(each -> each.getHandlerMethods().entrySet().stream())
                .filter(each -> each.getValue().getBeanType() != OpenApiController.class)
                .filter(
                        each ->
                                !each.getValue()
                                        .getBeanType()
                                        .getSimpleName()
                                        .endsWith("PageController"))
                .flatMap(
                        each ->
                                each.getKey().getMethodsCondition().getMethods().stream()
                                        .flatMap(
                                                method ->
                                                        each.getKey().getPatternValues().stream()
                                                                .map(path -> name(method, path))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(Object method, String path) {
        return "%s %s"
                .formatted(
                        method.toString().toUpperCase(Locale.ROOT),
                        path.replace("/health/**", "/health/{group}"));
    }

    private static void unbounded(JsonNode schema, String where, List<String> found) {
        if (schema.path("type").asString("").equals("integer") && !schema.has("minimum")) {
            found.add(where);
        }
        schema.forEachEntry((name, member) -> unbounded(member, where + "/" + name, found));
    }
}
