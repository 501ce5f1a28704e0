package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** {@code docs/architecture.md} lists the files of four paths in order; each of them exists. */
class ArchitectureTest {

    private static final Pattern FILE =
            Pattern.compile("\\[`([\\w.]+)`\\]\\((\\.\\./src/[^)]+)\\)");

    @ParameterizedTest
    @CsvSource({
        "POST /reactions, 15",
        "GET /reactions, 15",
        "POST /actuator/refresh, 15",
        "POST /imports, 15",
        "GET /events, 15"
    })
    void aPathIsAListOfFilesThatExist(String path, int most) throws IOException {
        String page = Files.readString(Path.of("docs/architecture.md"));
        String section = page.split(": " + Pattern.quote(path) + "\n", 2)[1].split("\n## ", 2)[0];
        List<String> steps = section.lines().filter(line -> line.matches("\\d+\\. .*")).toList();

        assertThat(steps).hasSizeBetween(5, most).allSatisfy(ArchitectureTest::namesFiles);
    }

    private static void namesFiles(String step) {
        var files = FILE.matcher(step).results().toList();
        assertThat(files).as(step).isNotEmpty();
        for (var file : files) {
            Path source = Path.of("docs").resolve(file.group(2)).normalize();
            assertThat(source).isRegularFile();
            assertThat(source.getFileName().toString()).startsWith(file.group(1));
        }
    }
}
