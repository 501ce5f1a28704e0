package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Each alert has an entry in the runbook, a severity, and a case that fires and clears it. */
class RunbookTest {

    private static final Path FOLDER = Path.of("docker/chart/monitoring");
    private static final String PAGE = "docs/operations.md#";

    @Test
    void eachAlertLinksToAnEntryOfItsName() throws IOException {
        String runbook = Files.readString(Path.of("docs/operations.md"));
        for (Map<String, Object> alert : alerts()) {
            String name = alert.get("alert").toString();
            String anchor = name.replaceAll("(?<!^)(?=[A-Z])", "-").toLowerCase();
            assertThat(annotation(alert, "runbook_url")).isEqualTo(PAGE + anchor);
            assertThat(runbook).contains("\n### " + anchor.replace('-', ' ') + "\n");
        }
    }

    /** An entry for an alert that is gone would mislead. */
    @Test
    void eachEntryOfTheRunbookIsThatOfAnAlert() throws IOException {
        String manual = Files.readString(Path.of("docs/operations.md"));
        String runbook = manual.substring(manual.indexOf("\n## Alerts\n"));
        var entries = Pattern.compile("(?m)^### (.+)$").matcher(runbook).results();

        assertThat(entries.map(entry -> "#" + entry.group(1).replace(' ', '-')))
                .containsExactlyElementsOf(
                        alerts().stream()
                                .map(alert -> annotation(alert, "runbook_url"))
                                .map(link -> link.replaceFirst(".*#", "#"))
                                .toList());
    }

    @Test
    void eachHasASeverityAndASentence() throws IOException {
        for (Map<String, Object> alert : alerts()) {
            String name = alert.get("alert").toString();
            assertThat(((Map<?, ?>) alert.get("labels")).get("severity"))
                    .as(name)
                    .isIn("page", "ticket");
            assertThat(annotation(alert, "summary")).as(name).matches("[A-Z].{20,}\\.");
        }
    }

    /** {@code promtool test rules} runs the cases. */
    @Test
    void eachHasACaseThatFiresAndClearsIt() throws IOException {
        Map<String, List<Map<String, Object>>> file =
                new Yaml().load(Files.readString(FOLDER.resolve("alerts-test.yaml")));
        var cases = file.get("tests");

        assertThat(cases.stream().map(each -> each.get("name")))
                .containsExactlyElementsOf(
                        alerts().stream().map(each -> each.get("alert")).toList());
        assertThat(cases)
                .allSatisfy(
                        each -> {
                            var steps = (List<?>) each.get("promql_expr_test");
                            assertThat(steps).hasSize(2);
                            assertThat(samples(steps.getFirst())).hasSize(1);
                            assertThat(samples(steps.getLast())).isEmpty();
                        });
    }

    private static List<?> samples(Object step) {
        return (List<?>) ((Map<?, ?>) step).get("exp_samples");
    }

    private static String annotation(Map<String, Object> alert, String name) {
        return ((Map<?, ?>) alert.get("annotations")).get(name).toString();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> alerts() throws IOException {
        Map<String, List<Map<String, Object>>> file =
                new Yaml().load(Files.readString(FOLDER.resolve("alerts.yaml")));
        var alerts =
                file.get("groups").stream()
                        .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                        .toList();
        assertThat(alerts).hasSizeGreaterThan(40);
        return alerts;
    }
}
