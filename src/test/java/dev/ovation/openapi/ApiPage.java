package dev.ovation.openapi;

import static dev.ovation.openapi.ApiSchemas.anchor;
import static dev.ovation.openapi.ApiSchemas.cell;
import static dev.ovation.openapi.ApiSchemas.list;
import static dev.ovation.openapi.ApiSchemas.map;

import dev.ovation.web.problem.ProblemCode;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes {@code docs/api.md} from the OpenAPI document. */
final class ApiPage {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> ON_EVERY_ANSWER = Set.of("X-Request-Id", "Cache-Control");

    private final Map<String, Object> tree;
    private final ApiSchemas schemas;
    private final StringBuilder page = new StringBuilder();

    private record Operation(String call, String tag, Map<String, Object> json) {

        String summary() {
            return cell(json.get("summary"));
        }

        String scope() {
            boolean isPublic =
                    !json.containsKey("x-scope") || list(json, "security").contains(Map.of());
            return isPublic ? "public" : "`" + json.get("x-scope") + "`";
        }
    }

    private ApiPage(Map<String, Object> tree) {
        this.tree = tree;
        this.schemas = new ApiSchemas(tree);
    }

    /** Returns the page for a document. */
    static String of(Map<String, Object> tree) {
        return new ApiPage(tree).write();
    }

    private String write() {
        List<Operation> operations = operations();
        line("# HTTP API");
        line("");
        line(
                "<!-- Made from the OpenAPI document. Change src/main/resources/dev/ovation/*/openapi.yaml,");
        line("     then run ./mvnw test -Dtest=ApiPageTest -Ddocs.write=true -->");
        line("");
        line(
                "The service serves the same document as OpenAPI 3.1 at `/v3/api-docs` and `/v3/api-docs.yaml`, the API of");
        line(
                "the contest at `/v3/api-docs/pcc`, and a page to try both at `/swagger-ui.html` (scope `operate`). See also:");
        line(
                "[clients](clients.md), [settings, scopes and limits](operations.md), [guarantees](guarantees.md).");
        line("");
        line("## Conventions");
        line("");
        line(map(tree, "info").get("description").toString().strip());
        line("");
        line("## Operations");
        line("");
        line("| call | scope | purpose |");
        line("| --- | --- | --- |");
        for (Operation each : operations) {
            line(
                    "| [`%s`](#%s) | %s | %s |"
                            .formatted(
                                    each.call(),
                                    anchor(each.call()),
                                    each.scope(),
                                    each.summary()));
        }
        codes();
        for (Map<String, Object> tag : list(tree, "tags")) {
            line("");
            line("## " + title(tag.get("name").toString()));
            line("");
            line(cell(tag.get("description")));
            operations.stream()
                    .filter(each -> each.tag().equals(tag.get("name")))
                    .forEach(this::operation);
        }
        types();
        return page.toString();
    }

    /** Operations in the order of the tags, and within a tag in that of the document. */
    private List<Operation> operations() {
        var all = new ArrayList<Operation>();
        Map<String, Object> paths = map(tree, "paths");
        for (Map<String, Object> tag : list(tree, "tags")) {
            for (String path : paths.keySet()) {
                for (String method : map(paths, path).keySet()) {
                    Map<String, Object> json = map(map(paths, path), method);
                    if (((List<?>) json.get("tags")).contains(tag.get("name"))) {
                        String call = method.toUpperCase(Locale.ROOT) + " " + path;
                        all.add(new Operation(call, tag.get("name").toString(), json));
                    }
                }
            }
        }
        return all;
    }

    private void codes() {
        line("");
        line("## Problem codes");
        line("");
        line("| status | `code` | `title` |");
        line("| ---: | --- | --- |");
        for (ProblemCode code : ProblemCode.values()) {
            line("| %d | `%s` | %s |".formatted(code.status(), code.code(), code.title()));
        }
    }

    private void operation(Operation each) {
        line("");
        line("### " + each.call());
        line("");
        line(each.summary() + ". Scope: " + each.scope() + ".");
        if (each.json().containsKey("description")) {
            line("");
            line(each.json().get("description").toString().strip());
        }
        List<Map<String, Object>> parameters =
                list(each.json(), "parameters").stream().map(schemas::resolve).toList();
        if (!parameters.isEmpty()) {
            line("");
            line("| parameter | in | type | required | meaning |");
            line("| --- | --- | --- | --- | --- |");
        }
        for (Map<String, Object> one : parameters) {
            line(
                    "| `%s` | %s | %s | %s | %s |"
                            .formatted(
                                    one.get("name"),
                                    one.get("in"),
                                    schemas.type(map(one, "schema")),
                                    Boolean.TRUE.equals(one.get("required")) ? "yes" : "no",
                                    cell(one.get("description"))));
        }
        Map<String, Object> body = map(each.json(), "requestBody");
        if (!body.isEmpty()) {
            line("");
            line("**Body.** " + cell(body.get("description")));
            content(map(body, "content"));
        }
        answers(map(each.json(), "responses"));
    }

    private void answers(Map<String, Object> responses) {
        var shown = new LinkedHashMap<String, Map<String, Object>>();
        line("");
        line("| answer | meaning | problem codes | headers |");
        line("| --- | --- | --- | --- |");
        for (String status : responses.keySet()) {
            Map<String, Object> response = schemas.resolve(map(responses, status));
            Map<String, Object> content = map(response, "content");
            var codes = new ArrayList<String>();
            if (content.containsKey("application/problem+json") && !status.equals("default")) {
                codes.addAll(
                        schemas.codes(map(map(content, "application/problem+json"), "schema")));
            } else if (!content.isEmpty() && !status.equals("default")) {
                shown.put(status, content);
            }
            List<String> headers =
                    map(response, "headers").keySet().stream()
                            .filter(name -> !ON_EVERY_ANSWER.contains(name))
                            .map(name -> "`" + name + "`")
                            .toList();
            line(
                    "| %s | %s | %s | %s |"
                            .formatted(
                                    status.equals("default") ? "other" : status,
                                    cell(response.get("description")),
                                    String.join(
                                            ", ",
                                            codes.stream().map(code -> "`" + code + "`").toList()),
                                    String.join(", ", headers)));
        }
        shown.forEach(
                (status, content) -> {
                    line("");
                    line("**Answer " + status + ".**");
                    content(content);
                });
    }

    /** Adds the media types of a body, their members, and an example of each form. */
    private void content(Map<String, Object> content) {
        List<String> types = List.copyOf(content.keySet());
        line("");
        line(
                "Media types: "
                        + String.join(", ", types.stream().map(type -> "`" + type + "`").toList())
                        + ".");
        Map<String, Object> first = map(content, types.getFirst());
        Map<String, Object> schema = map(first, "schema");
        var rows = new ArrayList<String>();
        schemas.members(schemas.resolve(schema), "", rows);
        if (schema.containsKey("$ref")) {
            line("Type: " + schemas.type(schema) + ".");
            rows.clear();
            schemas.members(schema, "", rows);
        } else if (rows.isEmpty() && !schemas.type(schema).equals("string")) {
            line("Type: " + schemas.type(schema) + ".");
        }
        table(rows);
        for (String type : types) {
            examples(type, map(content, type), first);
        }
    }

    private void examples(String type, Map<String, Object> content, Map<String, Object> first) {
        if (content != first && content.equals(first)) {
            return;
        }
        Map<String, Object> examples = map(content, "examples");
        if (examples.isEmpty() && content.containsKey("example")) {
            if (content == first || !content.get("example").equals(first.get("example"))) {
                block(type, content.get("example"));
            }
        }
        for (String name : examples.keySet()) {
            line("");
            line("Kind `" + name + "` as `" + type + "`:");
            block(type, map(examples, name).get("value"));
        }
    }

    private void block(String type, Object example) {
        boolean json = !(example instanceof String) && type.contains("json");
        line("");
        line("```" + (json ? "json" : "text"));
        line(json ? JSON.writeValueAsString(example) : example.toString().stripTrailing());
        line("```");
    }

    private void types() {
        line("");
        line("## Types");
        Map<String, Object> all = map(map(tree, "components"), "schemas");
        for (String name : all.keySet().stream().sorted().toList()) {
            Map<String, Object> schema = map(all, name);
            line("");
            line("### " + name);
            line("");
            String type = schemas.type(schema);
            boolean described = schema.containsKey("description");
            line(
                    (type.isEmpty() || type.equals("object") ? "Object" : "Type: " + type)
                            + "."
                            + (described ? " " + cell(schema.get("description")) : ""));
            List<String> codes = schemas.codes(schema);
            if (!codes.isEmpty()) {
                line(
                        "Codes: "
                                + String.join(
                                        ", ", codes.stream().map(code -> "`" + code + "`").toList())
                                + ".");
            }
            var rows = new ArrayList<String>();
            schemas.members(schema, "", rows);
            table(rows);
        }
    }

    private void table(List<String> rows) {
        if (rows.isEmpty()) {
            return;
        }
        line("");
        line("| member | type | required | meaning |");
        line("| --- | --- | --- | --- |");
        rows.forEach(this::line);
    }

    private static String title(String tag) {
        return tag.substring(0, 1).toUpperCase(Locale.ROOT) + tag.substring(1);
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
