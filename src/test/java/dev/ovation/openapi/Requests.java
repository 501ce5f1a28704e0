package dev.ovation.openapi;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Requests that the document allows, from a seed. */
final class Requests {

    /** What must not happen to instances that other tests share, or takes too long. */
    private static final Map<String, String> ALWAYS =
            Map.of("POST /configuration", "dry_run=true", "POST /actuator/audit", "sample=3");

    /** Bodies are read as JSON whatever their type says, where the document says so. */
    private static final List<String> ANY_TYPE =
            List.of(
                    "text/plain",
                    "application/x-www-form-urlencoded",
                    "multipart/form-data; boundary=b",
                    "application/octet-stream",
                    "application/json; charset=utf-8");

    private final ApiDocument document;
    private final Samples samples;

    Requests(ApiDocument document, long seed) {
        this.document = document;
        this.samples = new Samples(document, new SplittableRandom(seed));
    }

    Request valid(Operation operation) {
        Request request = Request.of(operation);
        JsonNode body = body(operation);
        Set<String> said = body == null ? Set.of() : Set.copyOf(body.propertyNames());
        for (JsonNode parameter : parameters(operation)) {
            if (!said.contains(parameter.get("name").stringValue()) && fits(request, parameter)) {
                request = with(request, parameter, body == null && shared(operation));
            }
        }
        String always = ALWAYS.get(operation.toString());
        if (always != null) {
            var query = new ArrayList<>(request.query());
            query.removeIf(each -> each.startsWith(always.split("=", 2)[0]));
            query.add(always);
            request = request.asking(query);
        }
        return body == null ? request : typed(request.with(body.toString()), operation);
    }

    /** The same, unless it could put rules in force that other tests do not expect. */
    static Request harmless(Request request) {
        boolean rehearsed = request.query().stream().anyMatch(each -> each.startsWith("dry_run="));
        return request.operation().toString().equals("POST /configuration") && !rehearsed
                ? request.withParameter("dry_run", "true")
                : request;
    }

    /** Names of the same meaning are not given together: the older ones now and then, alone. */
    private List<JsonNode> parameters(Operation operation) {
        List<JsonNode> all = document.parameters(operation);
        boolean older =
                all.stream().anyMatch(each -> each.path("deprecated").asBoolean(false))
                        && samples.chance(25);
        return all.stream()
                .filter(
                        each ->
                                each.path("required").asBoolean(false)
                                        || each.path("deprecated").asBoolean(false) == older)
                .toList();
    }

    /** Whether it can be made up, and what it needs is there already. */
    private static boolean fits(Request request, JsonNode parameter) {
        String needed = parameter.path("x-needs").asString("");
        return !parameter.has("x-from-answer")
                && (needed.isEmpty()
                        || request.query().stream().anyMatch(each -> each.matches(needed + "=.+")));
    }

    private Request with(Request request, JsonNode parameter, boolean must) {
        String name = parameter.get("name").stringValue();
        JsonNode schema = parameter.get("schema");
        if (!must && !parameter.path("required").asBoolean(false) && samples.chance(50)) {
            return request;
        }
        return switch (parameter.get("in").stringValue()) {
            case "query" -> request.withParameter(name, samples.of(name, schema).asString());
            case "header" -> request.withHeader(name, samples.header(schema));
            default ->
                    request.at(
                            request.method(),
                            request.path()
                                    .replace(
                                            "{" + name + "}",
                                            schema.at("/examples/0").stringValue()));
        };
    }

    private String text(String name, JsonNode parameter) {
        String text = samples.of(name, parameter.get("schema")).asString();
        // As good as never the same by chance.
        return parameter.has("x-differs-from") ? "other " + text.strip() : text;
    }

    /** A body with all its members when the query could give them as well; null for none. */
    private JsonNode body(Operation operation) {
        JsonNode declared = operation.json().path("requestBody");
        if (declared.isMissingNode()
                || (!declared.path("required").asBoolean(false) && samples.chance(50))) {
            return null;
        }
        JsonNode schema = declared.at("/content/application~1json/schema");
        JsonNode body = samples.of("body", schema);
        while (shared(operation) && body.size() < members(operation).size()) {
            body = samples.of("body", schema);
        }
        return body;
    }

    private boolean shared(Operation operation) {
        Set<String> members = members(operation);
        return document.parameters(operation).stream()
                .anyMatch(each -> members.contains(each.get("name").stringValue()));
    }

    private Set<String> members(Operation operation) {
        JsonNode schema = operation.json().at("/requestBody/content/application~1json/schema");
        return document.resolve(schema).path("properties").propertyNames().stream()
                .collect(Collectors.toSet());
    }

    private Request typed(Request request, Operation operation) {
        JsonNode content = operation.json().at("/requestBody/content");
        if (content.has("*/*")) {
            return samples.chance(30)
                    ? request
                    : request.withHeader("Content-Type", samples.one(ANY_TYPE));
        }
        List<String> types =
                content.propertyNames().stream().filter(each -> !each.contains("gzip")).toList();
        return request.withHeader("Content-Type", samples.one(types));
    }
}
