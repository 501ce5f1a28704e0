package dev.ovation.openapi;

import static dev.ovation.testing.Gzip.zipped;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Generates requests that the document allows, from a seed. */
final class Requests {

    private static final String JSON = "application/json";

    /** Parameters that protect instances of other tests, and avoid long operations. */
    private static final Map<String, String> ALWAYS =
            Map.ofEntries(
                    Map.entry("POST /configuration", "dry_run=true"),
                    Map.entry("POST /configuration/rollback", "dry_run=true&version=1"),
                    Map.entry("POST /actuator/audit", "sample=3"),
                    Map.entry("GET /events", "wait=0&namespace_id=posts"),
                    Map.entry("PUT /webhooks", "webhook_id=generated"),
                    Map.entry("POST /webhooks/replay", "from=2025-11-21T10:00:00Z"),
                    Map.entry("DELETE /users", "user_id=erased"),
                    Map.entry("DELETE /entities", "entity_id=erased"),
                    Map.entry("PUT /entities", "entity_id=erased"),
                    Map.entry("PUT /users/ban", "user_id=erased"),
                    Map.entry("DELETE /users/ban", "user_id=erased"),
                    Map.entry("DELETE /reactions/all", "entity_id=erased"));

    /** Types with which the service still reads a body as JSON, where the document allows that. */
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
        request = always(request);
        JsonNode content = operation.json().at("/requestBody/content");
        if (body != null) {
            return typed(request.with(body.toString()), operation.json().get("requestBody"));
        }
        return content.isEmpty() || content.has(JSON) ? request : file(request, content);
    }

    /** The request, changed if it could disturb other tests. */
    static Request harmless(Request request) {
        boolean rehearsed = request.query().stream().anyMatch(each -> each.startsWith("dry_run="));
        if (request.operation().toString().equals("POST /configuration") && !rehearsed) {
            return request.withParameter("dry_run", "true");
        }
        boolean moved = !request.method().equals(request.operation().method());
        return moved ? always(request) : request;
    }

    private static Request always(Request request) {
        String always = ALWAYS.get(request.method() + " " + request.path());
        if (always == null) {
            return request;
        }
        var query = new ArrayList<>(request.query());
        for (String parameter : always.split("&")) {
            query.removeIf(each -> each.startsWith(parameter.split("=", 2)[0] + "="));
            query.add(parameter);
        }
        return request.asking(query);
    }

    /** Chooses one of the names of a parameter; sometimes, but never together, an older one. */
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

    /** Whether a value can be generated, and the request has the parameters that it needs. */
    private static boolean fits(Request request, JsonNode parameter) {
        String needed = parameter.path("x-needs").asString("");
        return !parameter.has("x-from-answer") && (needed.isEmpty() || has(request, needed));
    }

    /**
     * Whether the request has a parameter.
     *
     * @param parameter its name, with any value, or its name and a pattern of its value
     */
    private static boolean has(Request request, String parameter) {
        String pattern = parameter.contains("=") ? parameter : parameter + "=.+";
        return request.query().stream().anyMatch(each -> each.matches(pattern));
    }

    /** Whether the parameter must be present and not empty. */
    private static boolean isNeeded(Request request, JsonNode parameter) {
        return parameter.path("required").asBoolean(false)
                || parameter.has("x-unless")
                        && !has(request, parameter.get("x-unless").stringValue());
    }

    private Request with(Request request, JsonNode parameter, boolean must) {
        String name = parameter.get("name").stringValue();
        JsonNode schema = parameter.get("schema");
        boolean needed = must || isNeeded(request, parameter);
        if (!needed && samples.chance(50)) {
            return request;
        }
        return switch (parameter.get("in").stringValue()) {
            case "query" -> asked(request, parameter, needed);
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

    /**
     * Adds the parameter. A required one is not empty, and its value differs from that of a
     * parameter that the document names.
     */
    private Request asked(Request request, JsonNode parameter, boolean needed) {
        String name = parameter.get("name").stringValue();
        JsonNode schema = document.resolve(parameter.get("schema"));
        if (schema.path("type").asString("").equals("array")) {
            Request asking = request;
            for (JsonNode each : samples.of(name, schema)) {
                asking = asking.withParameter(name, each.stringValue());
            }
            return asking;
        }
        String different = parameter.path("x-differs-from").asString("");
        while (true) {
            boolean empty =
                    parameter.path("allowEmptyValue").asBoolean(false) && samples.chance(25);
            String value = empty ? "" : samples.of(name, parameter.get("schema")).asString();
            Request twin = request.withParameter(different, value);
            if (!(needed && value.isEmpty()) && !request.query().contains(twin.query().getLast())) {
                return request.withParameter(name, value);
            }
        }
    }

    /** A body, or null for none; it has all members if the query could have them as well. */
    private JsonNode body(Operation operation) {
        JsonNode declared = operation.json().path("requestBody");
        JsonNode schema = declared.path("content").path(JSON).path("schema");
        if (schema.isMissingNode()
                || (!declared.path("required").asBoolean(false) && samples.chance(50))) {
            return null;
        }
        JsonNode body = samples.of("body", schema);
        while (shared(operation) && body.size() < members(operation).size()
                || lacks(body, document.resolve(schema).path("x-needs"))) {
            body = samples.of("body", schema);
        }
        return body;
    }

    /** Whether a member is there and another one, which it needs, is absent or empty. */
    private static boolean lacks(JsonNode body, JsonNode needs) {
        return needs.propertyStream()
                .anyMatch(
                        each ->
                                !body.at(each.getKey()).isMissingNode()
                                        && body.at(each.getValue().stringValue())
                                                .asString("")
                                                .isEmpty());
    }

    private boolean shared(Operation operation) {
        Set<String> members = members(operation);
        return document.parameters(operation).stream()
                .anyMatch(each -> members.contains(each.get("name").stringValue()));
    }

    private Set<String> members(Operation operation) {
        return members(document, operation);
    }

    /** The members of the body that the operation reads as JSON. */
    static Set<String> members(ApiDocument document, Operation operation) {
        JsonNode content = operation.json().at("/requestBody/content");
        JsonNode schema = content.path(JSON).path("schema");
        return document.resolve(schema).path("properties").propertyNames().stream()
                .collect(Collectors.toSet());
    }

    private Request typed(Request request, JsonNode declared) {
        if (declared.path("x-any-media-type").asBoolean(false)) {
            return samples.chance(30)
                    ? request
                    : request.withHeader("Content-Type", samples.one(ANY_TYPE));
        }
        List<String> types =
                declared.get("content").propertyNames().stream()
                        .filter(each -> !each.contains("gzip"))
                        .toList();
        return request.withHeader("Content-Type", samples.one(types));
    }

    /** Adds an example of a file as the body; a parameter selects the kind of example. */
    private Request file(Request request, JsonNode content) {
        var files = new ArrayList<Request>();
        content.forEachEntry(
                (type, media) ->
                        media.path("examples")
                                .forEachEntry(
                                        (name, example) -> {
                                            if (has(request, "[^=]+=" + name)) {
                                                files.add(
                                                        request.withHeader("Content-Type", type)
                                                                .with(text(example)));
                                            }
                                        }));
        Request file = samples.one(files);
        return "gzip".equals(request.headers().get("Content-Encoding"))
                ? file.with(zipped(file.body()))
                : file;
    }

    private static String text(JsonNode example) {
        return example.get("value").stringValue();
    }
}
