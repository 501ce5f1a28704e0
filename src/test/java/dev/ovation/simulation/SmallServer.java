package dev.ovation.simulation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.LoopbackServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** A service of one namespace with three reactions and no rules, which may return wrong answers. */
final class SmallServer implements AutoCloseable {

    /** Kinds of wrong answers. */
    enum Lie {
        NONE,
        FORGETS_SOME,
        COUNTS_BELOW_ZERO,
        IS_BUSY_AT_FIRST,
        IS_SLOW
    }

    /**
     * Number of requests that are refused at first: those of the first login, which are in the
     * warm-up on a slow machine, too.
     */
    private static final int BUSY = 3;

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Map<String, String> OK = Map.of("status", "ok");

    private final Lie lie;
    private final HttpServer server;
    private final Map<String, Map<String, Set<String>>> reactions = new TreeMap<>();
    private int requests;
    private int closing;
    private int added;

    SmallServer(Lie lie) {
        this.lie = lie;
        server = LoopbackServer.create();
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized int requests() {
        return requests;
    }

    /** Number of requests with {@code Connection: close}; the server closes these connections. */
    synchronized int closing() {
        return closing;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (lie == Lie.IS_SLOW) {
                LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            }
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var answer = answer(exchange, body);
            exchange.sendResponseHeaders(answer.status(), answer.content().length);
            exchange.getResponseBody().write(answer.content());
        }
    }

    /** Written under the lock: the content refers to sets that the next request changes. */
    private record Answer(int status, byte[] content) {

        static Answer of(int status, Object content) {
            return new Answer(status, JSON.writeValueAsBytes(content));
        }
    }

    private synchronized Answer answer(HttpExchange exchange, String body) {
        String path = exchange.getRequestURI().getPath();
        if (path.startsWith("/configuration/")) {
            return Answer.of(
                    200,
                    path.endsWith("/namespace")
                            ? Map.of("namespace", Map.of("max_uniq_reactions", 3))
                            : Map.of("reactions", ids("a", "b", "c")));
        }
        requests++;
        if ("close".equals(exchange.getRequestHeaders().getFirst("Connection"))) {
            closing++;
        }
        if (lie == Lie.IS_BUSY_AT_FIRST && requests <= BUSY) {
            return Answer.of(503, Map.of());
        }
        return Answer.of(200, content(exchange, path, body));
    }

    private Object content(HttpExchange exchange, String path, String body) {
        return switch (exchange.getRequestMethod() + " " + path) {
            case "POST /reactions" -> add(JSON.readTree(body));
            case "DELETE /reactions" -> remove(JSON.readTree(body));
            case "POST /reactions/query" -> query(JSON.readTree(body));
            default -> get(exchange.getRequestURI().getQuery());
        };
    }

    private static List<Map<String, String>> ids(String... ids) {
        return List.of(ids).stream().map(id -> Map.of("id", id)).toList();
    }

    private Map<String, String> add(JsonNode body) {
        if (lie != Lie.FORGETS_SOME || ++added % 3 != 0) {
            own(body).add(body.path("reaction_id").asString());
        }
        return OK;
    }

    private Map<String, String> remove(JsonNode body) {
        own(body).remove(body.path("reaction_id").asString());
        return OK;
    }

    private Set<String> own(JsonNode body) {
        return reactions
                .computeIfAbsent(body.path("entity_id").asString(), _ -> new TreeMap<>())
                .computeIfAbsent(body.path("user_id").asString(), _ -> new TreeSet<>());
    }

    private Object query(JsonNode body) {
        var answers = new ArrayList<Object>();
        for (var entity : body.path("entities")) {
            answers.add(view(entity.asString(), body.path("viewer_id").asString()));
        }
        return Map.of("entities", answers);
    }

    private Object get(String query) {
        var parameters = new LinkedHashMap<String, String>();
        for (String pair : query.split("&")) {
            parameters.put(pair.split("=")[0], pair.split("=")[1]);
        }
        return view(parameters.get("entity_id"), parameters.get("user_id"));
    }

    private Object view(String entity, String user) {
        var users = reactions.getOrDefault(entity, Map.of());
        var counts = new TreeMap<String, Integer>();
        users.values().forEach(own -> own.forEach(each -> counts.merge(each, 1, Integer::sum)));
        if (lie == Lie.COUNTS_BELOW_ZERO && !counts.isEmpty()) {
            counts.put("c", -1);
        }
        return Map.of(
                "entity_id",
                entity,
                "reactions_count",
                counts.entrySet().stream()
                        .map(each -> Map.of("reaction_id", each.getKey(), "count", each.getValue()))
                        .toList(),
                "user_reactions",
                Map.of("user_id", user, "reactions", users.getOrDefault(user, Set.of())));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
