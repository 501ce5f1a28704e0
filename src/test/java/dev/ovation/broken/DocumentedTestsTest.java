package dev.ovation.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Checks that the tests named by {@code docs/security.md} exist. */
class DocumentedTestsTest {

    private static final Pattern TEST = Pattern.compile("`((?:[a-z]+\\.)*[A-Z]\\w*Test#\\w+)`");
    private static final Pattern ROW = Pattern.compile("\\| API(\\d+):2023 .*");

    @Test
    void everyRowNamesTestsAndEachIsThere() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("docs/security.md"));
        List<String> rows = lines.stream().filter(line -> ROW.matcher(line).matches()).toList();

        assertThat(rows.stream().map(DocumentedTestsTest::number))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 10).boxed().toList());
        for (String row : rows) {
            assertThat(tests(row)).as(row).isNotEmpty();
        }
        assertThat(lines.stream().flatMap(line -> tests(line).stream()))
                .allSatisfy(test -> assertThat(selector(test)).isNotNull());
    }

    @Test
    void aTestThatIsNotThereIsNoticed() {
        assertThatThrownBy(() -> selector("broken.DocumentedTestsTest#none"))
                .hasMessageContaining("there is no test");
    }

    private static int number(String row) {
        return ROW.matcher(row)
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> tests(String line) {
        return TEST.matcher(line).results().map((MatchResult found) -> found.group(1)).toList();
    }

    private static DiscoverySelector selector(String test) {
        return TestName.of(test).selector();
    }
}
