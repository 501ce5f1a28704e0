package dev.ovation.openapi;

import dev.ovation.web.problem.ProblemCode;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rules of a document from which generators make clients that compile and lose nothing. */
final class ClientRules {

    /** Values in which a keyword is no keyword. */
    private static final Set<String> DATA =
            Set.of("example", "examples", "default", "enum", "const");

    private static final Set<String> VALUES = Set.of("enum", "const", "x-extensible-enum");

    /** Names of classes that generated clients or their languages have themselves. */
    private static final Set<String> RESERVED =
            Set.of(
                    "ApiClient",
                    "ApiError",
                    "ApiException",
                    "ApiResponse",
                    "Array",
                    "Boolean",
                    "Configuration",
                    "Data",
                    "Date",
                    "Decimal",
                    "Error",
                    "Exception",
                    "File",
                    "Function",
                    "Integer",
                    "Iterable",
                    "List",
                    "Map",
                    "Model",
                    "Number",
                    "Object",
                    "Operation",
                    "Optional",
                    "Pair",
                    "Promise",
                    "Record",
                    "Request",
                    "Response",
                    "Result",
                    "Set",
                    "String",
                    "Task",
                    "Type");

    /** A verb and a noun at least, so that a method is recognised without its class. */
    private static final String OPERATION_ID = "[a-z]+([A-Z][a-z]+)+|ping";

    private static final long MOST_OF_32_BITS = Integer.MAX_VALUE;

    private final JsonNode document;
    private final Set<String> broken = new TreeSet<>();

    private ClientRules(JsonNode document) {
        this.document = document;
    }

    /** The broken rules, each with the place in the document; empty for a good document. */
    static Set<String> broken(JsonNode document) {
        var rules = new ClientRules(document);
        rules.walk("", document);
        rules.names();
        rules.operations();
        rules.problems();
        return rules.broken;
    }

    private void walk(String where, JsonNode node) {
        if (node.isArray()) {
            node.forEach(each -> walk(where, each));
        }
        if (!node.isObject()) {
            return;
        }
        if (node.has("$ref") && node.size() > 1) {
            broken.add(where + ": a $ref has members beside it");
        }
        if (isSchema(where)) {
            schema(where, node);
        }
        node.forEachEntry(
                (name, value) -> {
                    if (!DATA.contains(name) && !name.startsWith("x-")) {
                        walk(where + "/" + name, value);
                    }
                });
    }

    /** Whether a schema stands here, and not the map of some. */
    private static boolean isSchema(String where) {
        return where.matches(
                "(.*/schema|/components/schemas/[^/]+)"
                        + "((/properties/[^/]+)|/items|/additionalProperties)*");
    }

    private void schema(String where, JsonNode schema) {
        if (VALUES.stream().anyMatch(schema::has) && !schema.has("type")) {
            broken.add(where + ": values have no type");
        }
        if (schema.has("anyOf") || schema.has("oneOf")) {
            broken.add(where + ": a value has several forms");
        }
        if (schema.has("uniqueItems")) {
            broken.add(where + ": a set loses the order");
        }
        boolean named = where.matches("/components/schemas/[^/]+");
        if (!named && schema.has("properties")) {
            broken.add(where + ": an object has no name");
        }
        if (schema.path("type").asString("").equals("object")
                && !schema.has("properties")
                && !schema.has("additionalProperties")) {
            broken.add(where + ": an object has no members");
        }
        if (schema.path("type").asString("").equals("integer")
                && !schema.has("format")
                && schema.path("maximum").asLong(Long.MAX_VALUE) > MOST_OF_32_BITS) {
            broken.add(where + ": an integer has neither a format nor a bound");
        }
    }

    private void names() {
        for (String name : document.at("/components/schemas").propertyNames()) {
            if (RESERVED.contains(name) || !name.matches("([A-Z][a-z]+)+")) {
                broken.add(name + ": the name of a schema collides with one of clients");
            }
        }
    }

    private void operations() {
        var ids = new HashSet<String>();
        document.path("paths")
                .forEach(
                        item ->
                                item.forEach(
                                        operation -> {
                                            String id = operation.get("operationId").stringValue();
                                            if (!ids.add(id)) {
                                                broken.add(id + ": two operations have this id");
                                            }
                                            if (!id.matches(OPERATION_ID)) {
                                                broken.add(id + ": the id has no verb and noun");
                                            }
                                            if (!operation.has("security")
                                                    && !operation.has("x-scope")) {
                                                broken.add(id + ": no scope is stated");
                                            }
                                            answers(id, operation.path("responses"));
                                        }));
    }

    private void answers(String id, JsonNode responses) {
        responses.forEach(
                each ->
                        resolved(each)
                                .path("content")
                                .path("application/problem+json")
                                .path("schema")
                                .properties()
                                .forEach(
                                        member -> {
                                            if (!member.getKey().equals("$ref")) {
                                                broken.add(id + ": a problem has no name");
                                            }
                                        }));
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").stringValue().substring(1)) : node;
    }

    /** Each code is one of a schema whose name says that it is a problem. */
    private void problems() {
        Set<String> known =
                Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::code)
                        .collect(Collectors.toCollection(TreeSet::new));
        List<String> typed = new ArrayList<>();
        document.at("/components/schemas")
                .forEachEntry(
                        (name, schema) -> {
                            JsonNode codes = schema.at("/properties/code/x-extensible-enum");
                            if (name.endsWith("Problem") && codes.isEmpty()) {
                                broken.add(name + ": the codes of a problem are not listed");
                            }
                            codes.forEach(code -> typed.add(code.stringValue()));
                        });
        for (String code : typed) {
            if (!known.contains(code)) {
                broken.add(code + ": there is no such problem code");
            }
        }
        known.stream()
                .filter(code -> !typed.contains(code))
                .forEach(code -> broken.add(code + ": no schema lists this problem code"));
    }
}
