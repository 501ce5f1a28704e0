package dev.ovation.broken;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Breaks one rule after the other and expects a test to fail each time: {@code ./mvnw verify
 * -Pbroken-rules}; with {@code -Drule=} and a regular expression only rules whose names contain it.
 * Results and report are in {@code target/broken-rules}.
 */
class EveryBrokenRule {

    private static final Path FOLDER = Path.of("target/broken-rules").toAbsolutePath();
    private static final Path REPORT = Path.of("target/broken-rules.md");
    private static final Map<BrokenRule, Trial> TRIALS = new LinkedHashMap<>();

    /** Trials share nothing, and wait for servers more than they compute. */
    private static final ExecutorService SEVERAL = Executors.newFixedThreadPool(3);

    /** Beyond the waits of a test, which fails after its own bound. */
    private static final Duration BOUND = Duration.ofMinutes(15);

    private static List<BrokenRule> chosen() {
        var wanted = Pattern.compile(System.getProperty("rule", ""));
        return BrokenRule.all().stream()
                .filter(rule -> wanted.matcher(rule.name()).find())
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> theseTestsCatchWhatIsBroken() {
        var rules = chosen();
        var unbroken = SEVERAL.submit(() -> unbroken(rules));
        Map<BrokenRule, Future<Trial>> broken = new LinkedHashMap<>();
        rules.forEach(rule -> broken.put(rule, SEVERAL.submit(() -> broken(rule))));
        return Stream.concat(
                broken.entrySet().stream()
                        .map(one -> test(one.getKey().name(), () -> isCaught(one))),
                Stream.of(test("unbroken", () -> allPass(unbroken.get()))));
    }

    private static DynamicTest test(String name, Executable body) {
        return DynamicTest.dynamicTest(name, body);
    }

    private static Trial unbroken(List<BrokenRule> rules) throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("unbroken"));
        var tests = rules.stream().flatMap(rule -> rule.caughtBy().stream()).distinct().toList();
        return Trial.run(folder, tests, Duration.ofMinutes(30));
    }

    /** Without this check a test that always fails would detect every broken rule. */
    private static void allPass(Trial trial) {
        System.out.println("Unbroken: " + trial);
        assertThat(trial.failures()).isEmpty();
        assertThat(trial.unfit()).isEmpty();
    }

    private static Trial broken(BrokenRule rule) throws Exception {
        Path folder = FOLDER.resolve(rule.name());
        Workshop.build(rule, folder.resolve("classes"));
        return Trial.run(folder, rule.caughtBy(), BOUND);
    }

    private static void isCaught(Map.Entry<BrokenRule, Future<Trial>> one) throws Exception {
        var rule = one.getKey();
        var trial = one.getValue().get();
        TRIALS.put(rule, trial);
        System.out.println(line(rule, trial));
        assertThat(trial.isCaught()).as("%s is caught: %s", rule.name(), trial).isTrue();
    }

    @AfterAll
    static void report() throws IOException {
        SEVERAL.shutdownNow();
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
                        trial.isCaught() ? by(trial) : "**no test** " + trial.unfit(),
                        String.format(Locale.ROOT, "%.1f", trial.took().toMillis() / 1000.0));
    }

    private static String by(Trial trial) {
        return trial.failures().stream().map(Trial.Failure::test).distinct().collect(joining(", "));
    }
}
