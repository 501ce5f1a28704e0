package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.problem.ProblemCode;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Compares {@code docs/clients.md} with the problem codes and with the program that it quotes. */
class ClientsPageTest {

    private static final Pattern QUOTED = Pattern.compile("```ts\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyProblemCodeHasARow() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("docs/clients.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.split("\\|")[1])
                        .toList();

        assertThat(Arrays.stream(ProblemCode.values()).map(ProblemCode::code).distinct())
                .allSatisfy(
                        code -> assertThat(rows).anyMatch(row -> row.contains("`" + code + "`")));
    }

    @Test
    void theProgramHasTheQuotedParts() throws IOException {
        String program = Files.readString(Path.of("src/clients/typescript/program.ts"));
        List<String> quoted =
                QUOTED.matcher(Files.readString(Path.of("docs/clients.md")))
                        .results()
                        .map((MatchResult each) -> each.group(1))
                        .toList();

        assertThat(quoted).hasSizeGreaterThan(3).allMatch(program::contains);
    }
}
