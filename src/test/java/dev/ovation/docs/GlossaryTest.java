package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tables of {@code docs/glossary.md} can be executed: each renamed type exists once. */
class GlossaryTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/ovation");
    private static final Pattern OLD = Pattern.compile("`([a-z/]+)/(\\w+)(?:\\.(\\w+))?`");

    private record Row(String term, String meaning, String replaces) {}

    @Test
    void eachRowHasATermAndAMeaning() throws IOException {
        assertThat(rows(""))
                .hasSizeGreaterThan(100)
                .allSatisfy(
                        row -> {
                            assertThat(row.term()).isNotBlank();
                            assertThat(row.meaning()).as(row.term()).isNotBlank();
                            assertThat(row.replaces()).as(row.term()).isNotBlank();
                        });
    }

    @Test
    void noTermStandsInATableTwice() throws IOException {
        for (String section : sections()) {
            assertThat(rows(section).stream().map(Row::term)).as(section).doesNotHaveDuplicates();
        }
    }

    @Test
    void eachTypeExistsUnderItsOldOrItsNewName() throws IOException {
        for (Row row : rows("## Types")) {
            List<MatchResult> old = OLD.matcher(row.replaces()).results().toList();
            assertThat(old).as(row.term()).isNotEmpty();
            if (!isDeclared(row.term())) {
                assertThat(old)
                        .as("%s is declared nowhere", row.term())
                        .allSatisfy(name -> assertThat(isThere(name)).as(name.group()).isTrue());
            }
        }
    }

    private static boolean isThere(MatchResult old) throws IOException {
        Path file = SOURCES.resolve(old.group(1), old.group(2) + ".java");
        String type = old.group(3) == null ? old.group(2) : old.group(3);
        return Files.exists(file) && declares(Files.readString(file), type);
    }

    private static boolean isDeclared(String type) throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                if (declares(Files.readString(file), type)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean declares(String source, String type) {
        return Pattern.compile("\\b(?:class|record|interface|enum) " + type + "\\b")
                .matcher(source)
                .find();
    }

    private static List<String> sections() throws IOException {
        return lines().stream().filter(line -> line.startsWith("## ")).toList();
    }

    /** The rows of one section, or of all when {@code section} is empty. */
    private static List<Row> rows(String section) throws IOException {
        var rows = new ArrayList<Row>();
        String current = "";
        for (String line : lines()) {
            if (line.startsWith("## ")) {
                current = line;
            }
            if (line.startsWith("| ") && (section.isEmpty() || section.equals(current))) {
                List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
                assertThat(cells).as(line).hasSize(4);
                if (!cells.get(1).equals("term") && !cells.get(1).equals("---")) {
                    rows.add(new Row(cells.get(1), cells.get(2), cells.get(3)));
                }
            }
        }
        return rows;
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("docs/glossary.md"));
    }
}
