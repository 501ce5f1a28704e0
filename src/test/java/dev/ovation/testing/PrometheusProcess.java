package dev.ovation.testing;

import dev.ovation.testing.report.Recent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Prometheus with alert rules, by the binary of this machine. It scrapes every other second, and
 * all times of the rules are a fifteenth, also the ages of minutes and hours.
 */
public final class PrometheusProcess implements AutoCloseable {

    /** Debian's place; {@code -Dprometheus} names another. */
    private static final Path BINARY =
            Path.of(System.getProperty("prometheus", "/usr/bin/prometheus"));

    private static final int FACTOR = 15;
    private static final Pattern TIME = Pattern.compile("(?<=\\[|for: )(\\d+)([smh])(?=]|\\n)");
    private static final Pattern AGE =
            Pattern.compile("(?<=_seconds[^\n']{0,30} > )(\\d{3,})(?=')");
    private static final Map<String, Integer> SECONDS = Map.of("s", 1, "m", 60, "h", 3600);

    /** The group of targets of the service. */
    private static final String SERVICE = "ovation";

    private final Map<String, String> groups = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();
    private final Path folder;
    private final Process process;

    private PrometheusProcess(Path rules) {
        try {
            folder = Files.createTempDirectory("ovation-prometheus");
            Files.writeString(folder.resolve("rules.yaml"), faster(Files.readString(rules)));
            Files.writeString(
                    folder.resolve("prometheus.yaml"),
                    """
                    global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
                    rule_files: [rules.yaml]
                    scrape_configs:
                      - job_name: ovation
                        metrics_path: /actuator/prometheus
                        file_sd_configs: [{files: [targets.json]}]
                    """);
            watch();
            Path log = folder.resolve("log");
            Recent.addFile(log);
            process =
                    new ProcessBuilder(
                                    BINARY.toString(),
                                    "--config.file=" + folder.resolve("prometheus.yaml"),
                                    "--storage.tsdb.path=" + folder.resolve("data"),
                                    "--web.listen-address=127.0.0.1:" + port,
                                    "--log.level=warn")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts it with a file of rules; it scrapes nothing yet. */
    public static PrometheusProcess with(Path rules) {
        var prometheus = new PrometheusProcess(rules);
        Wait.until("Prometheus answers", () -> prometheus.firing().isEmpty());
        return prometheus;
    }

    private static String faster(String rules) {
        String sooner = TIME.matcher(rules).replaceAll(PrometheusProcess::faster);
        return AGE.matcher(sooner).replaceAll(age -> "" + Integer.parseInt(age.group(1)) / FACTOR);
    }

    private static String faster(MatchResult time) {
        int seconds = Integer.parseInt(time.group(1)) * SECONDS.get(time.group(2));
        return Math.max(1, seconds / FACTOR) + "s";
    }

    /** Scrapes the service at these ports of this machine from now on, and at no others. */
    public void watch(int... ports) {
        String targets =
                Arrays.stream(ports)
                        .mapToObj("\"127.0.0.1:%d\""::formatted)
                        .collect(Collectors.joining(", "));
        groups.put(SERVICE, "{\"targets\": [" + targets + "]}");
        write();
    }

    /** Scrapes an exporter, too, as job of this name. */
    public void watch(String job, int port) {
        groups.put(
                job,
                """
                {"targets": ["127.0.0.1:%d"], "labels": {"job": "%s", "__metrics_path__": "/metrics"}}
                """
                        .formatted(port, job));
        write();
    }

    /** Scrapes a server through an exporter of several servers, too, as job of this name. */
    public void watch(String job, int port, String server) {
        groups.put(
                server,
                """
                {"targets": ["127.0.0.1:%d"], "labels": {"job": "%s", "instance": "%s",
                 "__metrics_path__": "/scrape", "__param_target": "%s"}}
                """
                        .formatted(port, job, server, server));
        write();
    }

    private synchronized void write() {
        try {
            Path next = folder.resolve("next");
            Files.writeString(next, "[" + String.join(", ", groups.values()) + "]");
            Files.move(
                    next,
                    folder.resolve("targets.json"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the alerts that fire. */
    public Set<String> firing() throws IOException, InterruptedException {
        return ask("/api/v1/alerts")
                .at("/data/alerts")
                .valueStream()
                .filter(alert -> alert.at("/state").asString().equals("firing"))
                .map(alert -> alert.at("/labels/alertname").asString())
                .collect(Collectors.toSet());
    }

    /** Returns the last value of a metric with one series; empty if it is not scraped now. */
    public String value(String metric) throws IOException, InterruptedException {
        return ask("/api/v1/query?query=" + metric).at("/data/result/0/value/1").asString("");
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        var request = URI.create("http://127.0.0.1:" + port + path);
        String body =
                client.send(HttpRequest.newBuilder(request).build(), BodyHandlers.ofString())
                        .body();
        return JsonMapper.shared().readTree(body);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
