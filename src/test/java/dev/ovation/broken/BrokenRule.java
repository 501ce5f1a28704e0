package dev.ovation.broken;

import static java.util.stream.Collectors.joining;

import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A rule of the design and how to break it, as {@code src/test/resources/broken-rules} lists them.
 *
 * @param name its name, unique
 * @param says the rule, in a sentence
 * @param file the source that keeps it, below the folder of {@code dev.ovation}
 * @param text the text there that keeps it, which occurs once; white space does not matter
 * @param instead the text that breaks it
 * @param caughtBy the tests that must notice: classes below {@code dev.ovation}, or their methods
 */
record BrokenRule(
        String name, String says, Path file, String text, String instead, List<TestName> caughtBy) {

    private static final Path LISTS = Path.of("src/test/resources/broken-rules");

    /** Reads all lists. */
    static List<BrokenRule> all() {
        try (Stream<Path> lists = Files.list(LISTS)) {
            return lists.sorted().flatMap(BrokenRule::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<BrokenRule> read(Path list) {
        List<Map<String, Object>> entries = new Yaml().load(content(list));
        return entries.stream().map(BrokenRule::of);
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
        String root = file.endsWith(".java") ? "src/main/java" : "src/main/resources";
        return Path.of(root, "dev/ovation", file);
    }

    /** The whole source without the rule. */
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
