package dev.ovation.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The tables of {@code docs/broken-rules.md} are those of the lists. Property {@code docs.write}
 * writes them instead of comparing them.
 */
class BrokenRulesPageTest {

    private static final Path PAGE = Path.of("docs/broken-rules.md");
    private static final String COMMAND =
            "./mvnw test -Dtest=BrokenRulesPageTest -Ddocs.write=true";

    /** The text above this line is written by hand. */
    private static final String MARK =
            "<!-- Written from the lists. Change them, then run " + COMMAND + " -->\n";

    @Test
    void theTablesAreThoseOfTheLists() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).containsOnlyOnce(MARK);
        String expected =
                page.substring(0, page.indexOf(MARK))
                        + MARK
                        + BrokenRule.lists().stream()
                                .map(BrokenRulesPageTest::section)
                                .collect(Collectors.joining());
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE))
                .as("run %s and commit %s", COMMAND, PAGE)
                .isEqualTo(expected);
    }

    private static String section(BrokenRule.RuleList list) {
        return "\n## %s\n\n| rule | statement | caught by |\n| --- | --- | --- |\n"
                        .formatted(list.title())
                + list.rules().stream().map(BrokenRulesPageTest::row).collect(Collectors.joining());
    }

    private static String row(BrokenRule rule) {
        String tests =
                rule.caughtBy().stream()
                        .map(test -> "`" + test.shortName() + "`")
                        .collect(Collectors.joining(", "));
        return "| %s | %s | %s |\n".formatted(rule.name(), rule.says(), tests);
    }
}
