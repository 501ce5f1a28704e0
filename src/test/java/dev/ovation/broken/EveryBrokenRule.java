package dev.ovation.broken;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Breaks one rule after the other and expects a test to fail each time: {@code ./mvnw verify
 * -Pbroken-rules}, or with {@code -Drule=} and a regular expression only those whose names contain
 * it. What was seen is in {@code target/broken-rules}, the report beside it.
 */
class EveryBrokenRule {

    private static final Path FOLDER = Path.of("target/broken-rules").toAbsolutePath();
    private static final Path REPORT = Path.of("target/broken-rules.md");
    private static final Map<BrokenRule, Trial> TRIALS = new LinkedHashMap<>();

    private static List<BrokenRule> chosen() {
        var wanted = Pattern.compile(System.getProperty("rule", ""));
        return BrokenRule.all().stream()
                .filter(rule -> wanted.matcher(rule.name()).find())
                .toList();
    }

    /** Without this a test that fails always would catch everything. */
    @Test
    void unbrokenAllTheseTestsPass() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("unbroken"));
        var tests = chosen().stream().flatMap(rule -> rule.caughtBy().stream()).distinct().toList();
        var trial = Trial.run(folder, tests, Duration.ofMinutes(30));
        assertThat(trial.failures()).isEmpty();
        assertThat(trial.unfit()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> isCaught() {
        return chosen().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.name(), () -> isCaught(rule)));
    }

    private static void isCaught(BrokenRule rule) throws Exception {
        Path folder = FOLDER.resolve(rule.name());
        Workshop.make(rule, folder.resolve("classes"));
        var trial = Trial.run(folder, rule.caughtBy(), Duration.ofMinutes(5));
        TRIALS.put(rule, trial);
        System.out.println(line(rule, trial));
        assertThat(trial.isCaught()).as("%s is caught: %s", rule.name(), trial).isTrue();
    }

    @AfterAll
    static void report() throws IOException {
        var lines =
                new StringBuilder("| rule | what it says | caught by | s |\n|---|---|---|---|\n");
        TRIALS.forEach((rule, trial) -> lines.append(line(rule, trial)).append('\n'));
        long caught = TRIALS.values().stream().filter(Trial::isCaught).count();
        lines.append("\n%d of %d broken rules are caught.\n".formatted(caught, TRIALS.size()));
        Files.writeString(REPORT, lines);
        System.out.println(lines);
    }

    private static String line(BrokenRule rule, Trial trial) {
        return "| %s | %s | %s | %s |"
                .formatted(
                        rule.name(),
                        rule.says(),
                        trial.isCaught() ? by(trial) : "**nobody** " + trial.unfit(),
                        String.format(Locale.ROOT, "%.1f", trial.took().toMillis() / 1000.0));
    }

    private static String by(Trial trial) {
        return trial.failures().stream().map(Trial.Failure::test).distinct().collect(joining(", "));
    }
}
