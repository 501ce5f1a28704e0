package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The terms of {@code docs/glossary.md}: each has one meaning and is in use. */
class GlossaryTest {

    private static final Path GLOSSARY = Path.of("docs/glossary.md");

    private record Row(String term, String meaning) {}

    @Test
    void eachTermHasOneMeaning() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(80);
        assertThat(rows()).allSatisfy(row -> assertThat(row.meaning()).isNotBlank());
        assertThat(rows().stream().flatMap(GlossaryTest::names)).doesNotHaveDuplicates();
    }

    @Test
    void eachTermIsUsedByTheSourcesOrTheManuals() throws IOException {
        var texts = new StringBuilder();
        for (String folder : List.of("src/main", "docs")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                for (Path file : files.filter(GlossaryTest::isText).toList()) {
                    texts.append(file).append(' ').append(Files.readString(file)).append('\n');
                }
            }
        }
        String used = plain(texts.toString());
        assertThat(rows().stream().flatMap(GlossaryTest::names))
                .allSatisfy(term -> assertThat(used).contains(plain(term)));
    }

    private static boolean isText(Path file) {
        return !file.equals(GLOSSARY)
                && Stream.of(".java", ".lua", ".yaml", ".md")
                        .anyMatch(ending -> file.toString().endsWith(ending));
    }

    /** Letters only, so that a name in code equals the words. */
    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    }

    private static Stream<String> names(Row row) {
        return Arrays.stream(row.term().split(", "));
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(GLOSSARY).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
                .peek(cells -> assertThat(cells).hasSize(3))
                .map(cells -> new Row(cells.get(1), cells.get(2)))
                .filter(row -> !row.term().equals("term") && !row.term().equals("---"))
                .toList();
    }
}
