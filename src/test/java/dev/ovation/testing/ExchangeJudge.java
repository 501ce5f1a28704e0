package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Instance.Exchange;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Judges HTTP exchanges by the OpenAPI document. The document must describe each answer, and an
 * answer must have no member that the document does not name. The document must allow each request
 * that was granted.
 */
public final class ExchangeJudge {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Paths of the document and of pages, which the document does not describe. */
    private static final Pattern ITSELF =
            Pattern.compile("/(v3/api-docs|swagger-ui|ovation.js|demo|console(?!/series)).*");

    /** Methods that the server adds to those of the document. */
    private static final Set<String> BESIDE = Set.of("HEAD", "OPTIONS");

    private final ApiDocument document;

    public ExchangeJudge(ApiDocument document) {
        this.document = document;
    }

    /**
     * Judges one exchange.
     *
     * @throws AssertionError if the document does not describe the answer, or does not allow a
     *     granted request
     */
    public void check(Exchange exchange) {
        if (ITSELF.matcher(exchange.target()).matches()) {
            return;
        }
        Operation operation = find(exchange);
        var wrong = new ArrayList<String>();
        if (operation == null) {
            if (exchange.answer().status() < 400 && !BESIDE.contains(exchange.method())) {
                wrong.add("there is no such operation");
            }
        } else {
            wrong.addAll(answer(operation, exchange.answer()));
            if (grants(operation, exchange.answer())) {
                wrong.addAll(request(operation, exchange));
            }
        }
        assertThat(wrong).as("violations of the OpenAPI document by %s", exchange).isEmpty();
    }

    /**
     * Whether an answer grants the request; an operation may answer 200 with a member that states a
     * refusal.
     */
    private static boolean grants(Operation operation, Answer answer) {
        String refusal = operation.json().path("x-refused-with").asString("");
        return answer.status() < 400 && (refusal.isEmpty() || !answer.json().has(refusal));
    }

    /** Violations of the document by the request; empty if the document allows it. */
    private List<String> request(Operation operation, Exchange exchange) {
        var wrong = new ArrayList<String>();
        Map<String, String> query = query(exchange.target());
        Map<String, String> headers = headers(exchange.headers());
        for (JsonNode parameter : document.parameters(operation)) {
            String name = parameter.get("name").stringValue();
            String value =
                    switch (parameter.get("in").stringValue()) {
                        case "query" -> query.get(name);
                        case "header" -> headers.get(name);
                        default -> null;
                    };
            if (value != null && isEmptyAllowed(parameter, value)) {
                continue;
            }
            if (value != null) {
                JsonNode schema = single(parameter.get("schema"));
                document.errors(schema, document.typed(schema, value))
                        .forEach(each -> wrong.add(name + each));
            } else if (parameter.path("required").asBoolean(false)
                    && !parameter.get("in").stringValue().equals("path")) {
                wrong.add(name + " is missing");
            }
        }
        body(operation, exchange, headers, wrong);
        return wrong;
    }

    /** The schema of one value of a parameter that may be repeated. */
    private static JsonNode single(JsonNode schema) {
        return schema.path("type").asString("").equals("array") ? schema.get("items") : schema;
    }

    private static boolean isEmptyAllowed(JsonNode parameter, String value) {
        return value.isEmpty() && parameter.path("allowEmptyValue").asBoolean(false);
    }

    private void body(
            Operation operation,
            Exchange exchange,
            Map<String, String> headers,
            List<String> wrong) {
        JsonNode declared = document.resolve(operation.json().path("requestBody"));
        boolean empty = exchange.body() == null || exchange.body().isEmpty();
        if (declared.isMissingNode() || empty) {
            // An empty parameter that is present has a type.
            if (declared.path("required").asBoolean(false)
                    && !headers.containsKey("Content-Type")) {
                wrong.add("the body is missing");
            }
            return;
        }
        String type = headers.getOrDefault("Content-Type", "");
        JsonNode media =
                declared.path("x-any-media-type").asBoolean(false)
                        ? declared.at("/content/application~1json")
                        : ApiDocument.media(declared.get("content"), type);
        if (media == null) {
            wrong.add("a body of type " + type + " is not known");
        } else if (!type.contains("yaml")) {
            document.errors(media.get("schema"), value(media.get("schema"), exchange.body()))
                    .forEach(each -> wrong.add("body" + each));
        }
    }

    private List<String> answer(Operation operation, Answer answer) {
        var wrong = new ArrayList<String>();
        JsonNode responses = operation.json().get("responses");
        String status = Integer.toString(answer.status());
        JsonNode response =
                document.resolve(
                        responses.has(status) ? responses.get(status) : responses.path("default"));
        if (response.isMissingNode() || (answer.status() < 400 && !responses.has(status))) {
            return List.of("the status is not known");
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers());
        response.path("headers")
                .forEachEntry((name, each) -> header(name, document.resolve(each), headers, wrong));
        if (!response.has("content")) {
            if (!answer.body().isEmpty()) {
                wrong.add("there is a body");
            }
            return wrong;
        }
        String type = headers.getOrDefault("Content-Type", "");
        JsonNode media = ApiDocument.media(response.get("content"), type);
        if (media == null) {
            wrong.add("the Content-Type is not known: " + type);
            return wrong;
        }
        JsonNode schema = media.get("schema");
        try {
            document.errorsAndSurplus(schema, value(schema, answer.body()))
                    .forEach(each -> wrong.add("answer" + each));
        } catch (JacksonException e) {
            wrong.add("the body is not JSON: " + e.getOriginalMessage());
        }
        return wrong;
    }

    /** Parses a body as JSON, unless its schema is that of a text or of bytes. */
    private JsonNode value(JsonNode schema, String body) {
        JsonNode resolved = document.resolve(schema);
        boolean text =
                resolved.path("type").asString("").equals("string")
                        || resolved.path("const").isString()
                        || resolved.has("contentMediaType");
        return text ? StringNode.valueOf(body) : JSON.readTree(body);
    }

    private void header(
            String name, JsonNode header, Map<String, String> headers, List<String> wrong) {
        String value = headers.get(name);
        if (value != null) {
            JsonNode schema = header.get("schema");
            document.errors(schema, document.typed(schema, value))
                    .forEach(each -> wrong.add(name + each));
        } else if (header.path("required").asBoolean(false)) {
            wrong.add("the header " + name + " is missing");
        }
    }

    private Operation find(Exchange exchange) {
        String path = exchange.target().split("\\?", 2)[0];
        for (Operation each : document.operations()) {
            String pattern = each.path().replaceAll("\\{[^}]*}", ".*");
            if (each.method().equals(exchange.method()) && path.matches(pattern)) {
                return each;
            }
        }
        return null;
    }

    private static Map<String, String> query(String target) {
        var query = new LinkedHashMap<String, String>();
        int mark = target.indexOf('?');
        if (mark >= 0) {
            for (String pair : target.substring(mark + 1).split("&")) {
                String[] parts = pair.split("=", 2);
                query.put(parts[0], parts.length < 2 ? "" : decode(parts[1]));
            }
        }
        return query;
    }

    /** Decodes escapes; the service judges malformed ones. */
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static Map<String, String> headers(List<String> alternating) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < alternating.size(); i += 2) {
            headers.put(alternating.get(i), alternating.get(i + 1).strip());
        }
        return headers;
    }
}
