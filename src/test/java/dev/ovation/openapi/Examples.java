package dev.ovation.openapi;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Checks the examples of a document: each parameter, body and answer has one. */
final class Examples {

    private final ApiDocument document;
    private final List<String> wrong = new ArrayList<>();

    private Examples(ApiDocument document) {
        this.document = document;
    }

    /** Missing examples, and examples that violate their own schema. */
    static List<String> wrong(ApiDocument document, Operation operation) {
        var examples = new Examples(document);
        document.parameters(operation).forEach(examples::parameter);
        examples.bodies("body", operation.json().path("requestBody"));
        operation.json().get("responses").forEachEntry(examples::bodies);
        return examples.wrong;
    }

    /** Booleans and enumerations need no example, nor do values that come from an answer. */
    private void parameter(JsonNode parameter) {
        JsonNode schema = parameter.get("schema");
        boolean plain =
                schema.has("enum")
                        || schema.path("type").asString("").equals("boolean")
                        || parameter.has("x-from-answer");
        if (!plain || parameter.has("example")) {
            compare(parameter.get("name").stringValue(), schema, parameter.path("example"));
        }
    }

    private void bodies(String what, JsonNode referenced) {
        document.resolve(referenced)
                .path("content")
                .forEachEntry((type, media) -> media(what + " " + type, media));
    }

    private void media(String what, JsonNode media) {
        JsonNode schema = media.get("schema");
        JsonNode named = media.path("examples");
        named.forEachEntry((name, each) -> compare(what + " " + name, schema, each.path("value")));
        if (named.isEmpty() && !schema.has("contentMediaType")) {
            compare(what, schema, media.path("example"));
        }
    }

    private void compare(String what, JsonNode schema, JsonNode example) {
        if (example.isMissingNode()) {
            wrong.add(what + " has no example");
        } else {
            document.errorsAndSurplus(schema, example)
                    .forEach(each -> wrong.add(what + ": " + each));
        }
    }
}
