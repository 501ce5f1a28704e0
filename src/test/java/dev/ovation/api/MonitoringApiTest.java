package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.api.PromQl.Scrape;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Alerts and dashboards name metrics, labels and values that a running service exports. */
class MonitoringApiTest extends ApiFixture {

    private static final Path FOLDER = Path.of("docker/chart/monitoring");

    /** Metrics of Prometheus and of the exporters of servers and hosts. */
    private static final Pattern OTHERS = Pattern.compile("up|(redis|pg|node)_\\w+");

    /** Labels of which a value appears with its first event. */
    private static final Set<String> LATER =
            Set.of("http_server_requests_seconds_count.status", "ovation_hot_loads_total.result");

    @Test
    void aRunningServiceExportsWhatTheyName() throws IOException {
        given("letters", "ann", "a");
        assertThat(read(service, "letters").status()).isEqualTo(200);
        System.gc(); // the first collection registers the metric of pauses
        var expressions = new ArrayList<>(alerts());
        expressions.addAll(queries());
        assertThat(expressions).hasSizeGreaterThan(120);

        var scrape = Scrape.of(Metrics.of(service).text());

        assertThat(expressions)
                .allSatisfy(each -> assertThat(missing(each, scrape)).as(each).isEmpty());
    }

    @Test
    void aNameALabelOrAValueThatDoesNotExistIsFound() {
        var scrape = Scrape.of("a_total{kind=\"x\",p=\"1\"} 1\nb 2\n");

        assertThat(
                        missing(
                                "sum by (kind) (rate(a_total{kind=~\"x|y\"}[5m])) > 0 and b == 1",
                                scrape))
                .isEmpty();
        assertThat(missing("rate(c_total[5m]) / b", scrape)).containsExactly("c_total");
        assertThat(missing("a_total{sort=\"x\"}", scrape)).hasSize(1);
        assertThat(missing("a_total{kind=\"z\"}", scrape)).hasSize(1);
        assertThat(missing("max by (sort) (a_total)", scrape)).containsExactly("sort");
    }

    private static List<String> missing(String expression, Scrape scrape) {
        return PromQl.of(expression)
                .missing(
                        scrape,
                        name -> OTHERS.matcher(name).matches(),
                        label -> !LATER.contains(label));
    }

    @SuppressWarnings("unchecked")
    private static List<String> alerts() throws IOException {
        Map<String, List<Map<String, Object>>> file =
                new Yaml().load(Files.readString(FOLDER.resolve("alerts.yaml")));
        return file.get("groups").stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .map(rule -> (String) rule.get("expr"))
                .toList();
    }

    private static List<String> queries() throws IOException {
        var queries = new ArrayList<String>();
        try (Stream<Path> files = Files.list(FOLDER.resolve("dashboards"))) {
            for (Path file : files.toList()) {
                JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(file));
                for (JsonNode panel : dashboard.at("/panels")) {
                    for (JsonNode target : panel.at("/targets")) {
                        queries.add(target.at("/expr").asString());
                    }
                }
            }
        }
        return queries;
    }
}
