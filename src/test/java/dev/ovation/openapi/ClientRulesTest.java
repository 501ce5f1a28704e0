package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** Judges the document of the service by {@link ClientRules}, and the rules by broken documents. */
@Beside
class ClientRulesTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void theDocumentBreaksNoRule() throws IOException {
        assertThat(ClientRules.broken(document())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /components/schemas/Count/properties/count | {"$ref":"#/x","description":"x"} | a $ref has members beside it
                    /components/schemas/Count/properties/count | {"enum":["a"]}                   | values have no type
                    /components/schemas/Count/properties/count | {"const":true}                   | values have no type
                    /components/schemas/Count/properties/count | {"anyOf":[{"type":"string"}]}    | a value has several forms
                    /components/schemas/Count/properties/count | {"type":"array","items":{"type":"string"},"uniqueItems":true} | a set loses the order
                    /components/schemas/Count/properties/count | {"type":"object","properties":{}} | an object has no name
                    /components/schemas/Count/properties/count | {"type":"object"}                | an object has no members
                    /components/schemas/Count/properties/count | {"type":"integer"}               | an integer has neither a format nor a bound
                    /components/schemas/Count/properties/count | {"type":"array","items":{"type":"object","properties":{}}} | an object has no name
                    /components/schemas/Configuration          | {"type":"string"}                | the name of a schema collides with one of clients
                    /components/schemas/Count                  | {"type":"object","properties":{"code":{"type":"string","x-extensible-enum":["nothing"]}}} | there is no such problem code
                    /components/schemas/RateLimitedProblem     | {"type":"object","properties":{}} | no schema lists this problem code
                    /components/schemas/RateLimitedProblem     | {"type":"object","properties":{}} | the codes of a problem are not listed
                    /paths/~1ping/get/operationId              | "getReactions"                   | two operations have this id
                    /paths/~1ping/get/operationId              | "import"                         | the id has no verb and noun
                    /paths/~1ping/get                          | {"operationId":"ping"}           | no scope is stated
                    /paths/~1ping/get/responses/default        | {"content":{"application/problem+json":{"schema":{"type":"object"}}}} | a problem has no name
                    /paths/~1reactions/get/responses/200/content/application~1json/schema | {"type":"object","properties":{}} | an object has no name
                    """)
    void aBrokenRuleIsFound(String place, String value, String rule) throws IOException {
        ObjectNode document = document();
        int last = place.lastIndexOf('/');
        var parent = (ObjectNode) document.at(place.substring(0, last));
        parent.set(place.substring(last + 1), JSON.readTree(value));

        assertThat(ClientRules.broken(document))
                .anySatisfy(each -> assertThat(each).endsWith(rule));
    }

    private static ObjectNode document() throws IOException {
        JsonNode tree = JSON.valueToTree(OpenApiDocument.tree());
        return (ObjectNode) tree;
    }
}
