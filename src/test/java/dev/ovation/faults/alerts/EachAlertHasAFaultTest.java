package dev.ovation.faults.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each alert is fired by a fault of {@code -Palerts}, or the manual says why none fires it. */
@Beside
class EachAlertHasAFaultTest {

    private static final Path RULES = Path.of("docker/chart/monitoring/alerts.yaml");
    private static final Path MANUAL = Path.of("docs/operations.md");
    private static final String TABLE = "| alert that no test fires | reason |\n| --- | --- |\n";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| .{10,} \\|$");
    private static final List<Class<?>> FAULTS =
            List.of(
                    StoreAlertsTest.class,
                    RequestAlertsTest.class,
                    ServerAlertsTest.class,
                    ProcessAlertsTest.class,
                    RestartAlertsTest.class,
                    BackgroundAlertsTest.class);

    @Test
    void eachIsFiredByAFaultOrExemptAndNoneIsBoth() throws IOException {
        Set<String> fired = fired().collect(Collectors.toCollection(TreeSet::new));
        List<String> exempt = exempt();

        assertThat(fired).isNotEmpty().doesNotContainAnyElementsOf(exempt);
        assertThat(exempt).isNotEmpty().doesNotHaveDuplicates();
        fired.addAll(exempt);
        assertThat(fired).containsExactlyInAnyOrderElementsOf(alerts());
    }

    private static Stream<String> fired() {
        return FAULTS.stream()
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Fires.class))
                .flatMap(EachAlertHasAFaultTest::named);
    }

    private static Stream<String> named(Method fault) {
        return Arrays.stream(fault.getAnnotation(Fires.class).value());
    }

    private static List<String> exempt() throws IOException {
        String manual = Files.readString(MANUAL);
        assertThat(manual).contains(TABLE);
        String after = manual.substring(manual.indexOf(TABLE) + TABLE.length());
        String rows = after.substring(0, after.indexOf("\n\n") + 1);
        List<String> names = ROW.matcher(rows).results().map(row -> row.group(1)).toList();
        assertThat(names).hasSize((int) rows.lines().count());
        return names;
    }

    @SuppressWarnings("unchecked")
    private static List<String> alerts() throws IOException {
        Map<String, List<Map<String, Object>>> file = new Yaml().load(Files.readString(RULES));
        return file.get("groups").stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .map(rule -> (String) rule.get("alert"))
                .toList();
    }
}
