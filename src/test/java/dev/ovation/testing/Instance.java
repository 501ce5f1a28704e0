package dev.ovation.testing;

import dev.ovation.Ovation;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.testing.report.Recent;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A whole instance of the service within this JVM, on a free port; several may share servers. */
public final class Instance implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(60))
                    .build();

    private final ConfigurableApplicationContext context;
    private final int port;
    private volatile Consumer<Exchange> watcher = _ -> {};

    private Instance(ConfigurableApplicationContext context) {
        this.context = context;
        this.port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    }

    /** An answer: status, header and decompressed body, which is parsed as JSON on demand. */
    public record Answer(int status, Map<String, String> headers, String body) {
        public JsonNode json() {
            return JSON.readTree(body);
        }
    }

    /**
     * An HTTP request and its answer; {@code headers} of the request alternate names and values.
     */
    public record Exchange(
            String method, String target, String body, List<String> headers, Answer answer) {}

    /**
     * Starts an instance.
     *
     * @param jdbcUrl a migrated or empty database, see {@link TestPostgres#url()}
     * @param redisUri see {@link RedisProcess#uri()}; the instance connects as {@link RedisUser}
     * @param config folder of the three configuration files
     * @param settings more settings, as {@code name=value}
     */
    public static Instance start(String jdbcUrl, String redisUri, Path config, String... settings) {
        return start(Failpoints.NONE, jdbcUrl, redisUri, config, settings);
    }

    /** Starts an instance with failpoints of the test. */
    public static Instance start(
            Failpoints failpoints,
            String jdbcUrl,
            String redisUri,
            Path config,
            String... settings) {
        return run(FaultyOvation.with(failpoints), jdbcUrl, redisUri, config, settings);
    }

    /** Starts an instance that judges seasons by a clock of the test. */
    public static Instance start(
            Clock clock, String jdbcUrl, String redisUri, Path config, String... settings) {
        return run(FaultyOvation.with(clock), jdbcUrl, redisUri, config, settings);
    }

    private static Instance run(
            ApplicationContextInitializer<ConfigurableApplicationContext> initializer,
            String jdbcUrl,
            String redisUri,
            Path config,
            String... settings) {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("server.port", "0");
        properties.put("spring.datasource.url", jdbcUrl);
        properties.put("spring.datasource.username", "postgres");
        properties.put("spring.datasource.password", "postgres");
        RedisUser.settings("spring.data.redis.url=" + redisUri)
                .map(setting -> setting.split("=", 2))
                .forEach(setting -> properties.put(setting[0], setting[1]));
        properties.put("ovation.config-dir", config.toString());
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.jmx.enabled", "false");
        properties.put("ovation.internal.check-timeouts", "false"); // tests stretch single ones
        properties.put(
                "ovation.partitions", "64"); // of few entities each has a partition of its own
        properties.put("ovation.background.share", "1"); // tests wait for background work
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        String[] arguments =
                properties.entrySet().stream()
                        .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                        .toArray(String[]::new);
        var instance =
                new Instance(
                        new SpringApplicationBuilder(Ovation.class)
                                .contextFactory(SharedScan.CONTEXTS)
                                .initializers(initializer, SharedScan::share)
                                .registerShutdownHook(false)
                                .logStartupInfo(false) // it reads the manifests of all libraries
                                .run(arguments));
        return instance;
    }

    /** Passes each exchange with this instance to the watcher; the sender gets its exceptions. */
    public Instance watchedBy(Consumer<Exchange> watcher) {
        this.watcher = watcher;
        return this;
    }

    /**
     * Waits until this instance has Redis and is attached to all partitions.
     *
     * @param headers names and values that authenticate this test
     */
    public Instance attached(String... headers) {
        var _ =
                Wait.until(
                        "all partitions are attached",
                        () ->
                                send("GET", "/actuator/health", null, headers)
                                        .json()
                                        .at("/components"),
                        parts ->
                                parts.at("/redis/status").asString("").equals("UP")
                                        && parts.at("/relay/status").asString("").equals("UP"));
        return this;
    }

    public int port() {
        return port;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public <T> Collection<T> beans(Class<T> type) {
        return context.getBeansOfType(type).values();
    }

    /** Adds a reaction; {@code query}, such as {@code force=true}, may be empty. */
    public Answer add(String namespace, String entity, String user, String reaction, String query) {
        return send(
                "POST",
                "/reactions" + (query.isEmpty() ? "" : "?" + query),
                body(namespace, entity, user, reaction));
    }

    public Answer add(String namespace, String entity, String user, String reaction) {
        return add(namespace, entity, user, reaction, "");
    }

    public Answer remove(String namespace, String entity, String user, String reaction) {
        return send("DELETE", "/reactions", body(namespace, entity, user, reaction));
    }

    /** Reads an entity; a null user means a read without a viewer. */
    public Answer read(String namespace, String entity, String user) {
        var query = new LinkedHashMap<String, String>();
        query.put("namespace_id", namespace);
        query.put("entity_id", entity);
        if (user != null) {
            query.put("user_id", user);
        }
        return get("/reactions?" + encode(query));
    }

    public Answer get(String path) {
        return send("GET", path, null);
    }

    /** Sends a request; {@code headers} alternate names and values. */
    public Answer send(String method, String path, String body, String... headers) {
        Answer answer = sendTo(port, method, path, body, headers);
        watcher.accept(new Exchange(method, path, body, List.of(headers), answer));
        return answer;
    }

    /** Sends a request with a body of bytes. */
    public Answer sendBytes(String method, String path, byte[] body, String... headers) {
        Answer answer = sendTo(port, method, path, BodyPublishers.ofByteArray(body), headers);
        String text = new String(body, StandardCharsets.ISO_8859_1);
        watcher.accept(new Exchange(method, path, text, List.of(headers), answer));
        return answer;
    }

    /** Sends a request to a service on this machine. */
    public static Answer sendTo(
            int port, String method, String path, String body, String... headers) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return sendTo(port, method, path, publisher, headers);
    }

    private static Answer sendTo(
            int port, String method, String path, BodyPublisher body, String... headers) {
        String sent = ":%d %s %s".formatted(port, method, path);
        try {
            Answer answer = exchange(port, method, path, body, headers);
            Recent.REQUESTS.add("%s -> %d %s".formatted(sent, answer.status(), answer.body()));
            return answer;
        } catch (UncheckedIOException e) {
            Recent.REQUESTS.add("%s -> %s".formatted(sent, e.getCause()));
            throw e;
        }
    }

    private static Answer exchange(
            int port, String method, String path, BodyPublisher body, String... headers) {
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        // Longer than every deadline of a request, so that the service answers
                        // first.
                        .timeout(Duration.ofMinutes(5))
                        .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            var found = new LinkedHashMap<String, String>();
            response.headers().map().forEach((name, values) -> found.put(name, values.getFirst()));
            byte[] content = Gzip.decoded(response.body(), found.get("content-encoding"));
            String text = new String(content, StandardCharsets.UTF_8);
            return new Answer(response.statusCode(), found, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Body of a write. */
    public static String body(String namespace, String entity, String user, String reaction) {
        var body = new LinkedHashMap<String, String>();
        body.put("namespace_id", namespace);
        body.put("entity_id", entity);
        body.put("user_id", user);
        body.put("reaction_id", reaction);
        return JSON.writeValueAsString(body);
    }

    /** Body of a put of a whole set. */
    public static String setBody(
            String namespace, String entity, String user, List<String> reactions) {
        var body = new LinkedHashMap<String, Object>();
        body.put("namespace_id", namespace);
        body.put("entity_id", entity);
        body.put("user_id", user);
        body.put("reaction_ids", reactions);
        return JSON.writeValueAsString(body);
    }

    /** Body of a batch of {@link #operation operations}. */
    public static String batch(List<? extends Map<String, ?>> operations) {
        return JSON.writeValueAsString(Map.of("operations", operations));
    }

    /** Operation of a batch; {@code op} is {@code add} or {@code remove}. */
    public static Map<String, String> operation(
            String op, String namespace, String entity, String user, String reaction) {
        return Map.of(
                "op",
                op,
                "namespace_id",
                namespace,
                "entity_id",
                entity,
                "user_id",
                user,
                "reaction_id",
                reaction);
    }

    /** Outcomes in the answer of a batch, in order. */
    public static List<String> outcomes(Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError(answer.toString());
        }
        return answer.json()
                .at("/results")
                .valueStream()
                .map(each -> each.at("/outcome").asString())
                .toList();
    }

    /** Percent-encodes a query. */
    public static String encode(Map<String, String> query) {
        return query.entrySet().stream()
                .map(
                        entry ->
                                entry.getKey()
                                        + "="
                                        + URLEncoder.encode(
                                                entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** Stops gracefully. */
    @Override
    public void close() {
        context.close();
    }
}
