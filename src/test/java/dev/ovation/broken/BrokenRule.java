package dev.ovation.broken;

import static java.util.stream.Collectors.joining;

import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A rule of the design and a way to break it, from {@code src/test/resources/broken-rules}.
 *
 * @param name its name, unique
 * @param says the rule, in a sentence
 * @param file the source that keeps it, below the folder of {@code dev.ovation}; or a migration
 * @param text the text there that keeps it, which occurs once; white space does not matter
 * @param instead the text that breaks it
 * @param caughtBy the tests that must fail: classes below {@code dev.ovation}, or their methods
 */
record BrokenRule(
        String name, String says, Path file, String text, String instead, List<TestName> caughtBy) {

    private static final Path LISTS = Path.of("src/test/resources/broken-rules");

    /**
     * The rules of one file.
     *
     * @param title the comment in the first line of the file
     */
    record RuleList(String title, List<BrokenRule> rules) {

        private static RuleList read(Path file) {
            String text = content(file);
            List<Map<String, Object>> entries = new Yaml().load(text);
            String title = text.lines().findFirst().orElseThrow();
            return new RuleList(
                    title.replaceFirst("^# ", ""), entries.stream().map(BrokenRule::of).toList());
        }
    }

    /** Reads all lists, in the order of the numbers with which their names begin. */
    static List<RuleList> lists() {
        try (Stream<Path> files = Files.list(LISTS)) {
            return files.sorted(Comparator.comparing(BrokenRule::number))
                    .map(RuleList::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int number(Path file) {
        return Integer.parseInt(file.getFileName().toString().split("-")[0]);
    }

    /** Reads the rules of all lists. */
    static List<BrokenRule> all() {
        return lists().stream().flatMap(list -> list.rules().stream()).toList();
    }

    private static BrokenRule of(Map<String, Object> entry) {
        var tests = new ArrayList<TestName>();
        ((List<?>) entry.get("caught by")).forEach(test -> tests.add(TestName.of((String) test)));
        return new BrokenRule(
                (String) entry.get("rule"),
                ((String) entry.get("says")).strip(),
                source((String) entry.get("in")),
                (String) entry.get("text"),
                (String) entry.get("instead"),
                tests);
    }

    private static Path source(String file) {
        if (file.endsWith(".sql")) {
            return Path.of("db/migration", file);
        }
        String root = file.endsWith(".java") ? "src/main/java" : "src/main/resources";
        return Path.of(root, "dev/ovation", file);
    }

    /** Returns the whole source without the rule. */
    String altered() {
        Matcher places = pattern().matcher(content(file));
        if (places.results().count() != 1) {
            throw new IllegalStateException(
                    "%s: its text occurs %d times in %s"
                            .formatted(name, places.reset().results().count(), file));
        }
        return places.reset().replaceFirst(Matcher.quoteReplacement(instead));
    }

    private Pattern pattern() {
        return Pattern.compile(
                Arrays.stream(text.strip().split("\\s+"))
                        .map(Pattern::quote)
                        .collect(joining("\\s+")));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
