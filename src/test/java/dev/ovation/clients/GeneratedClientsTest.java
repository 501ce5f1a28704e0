package dev.ovation.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Generates clients from the served document, compiles them, and runs the same program in each. The
 * build does so for Java, {@code -Dclients=all} for all languages whose compilers are there, and
 * {@code -Dclients=go,python} for these.
 */
@ExtendWith(TwoInstances.class)
class GeneratedClientsTest {

    private static final Path DOCUMENT = Generator.FOLDER.resolve("openapi.json");

    /** Of an entity without reactions; ann adds 👍, then sets 👎, and ben adds 👎. */
    private static final List<String> PRINTED =
            List.of(
                    "add applied 👍",
                    "retry applied 👍",
                    "conflict 403 conflicting-reaction refused 👍",
                    "malformed entity_id",
                    "set applied 👎 👍",
                    "screen unchanged true",
                    "screen 1 👎 ann",
                    "batch applied refused reaction-already-exists",
                    "page ann",
                    "page ben");

    static Stream<Language> languages() {
        String chosen = System.getProperty("clients", "java");
        return Stream.of(Language.values())
                .filter(
                        each ->
                                chosen.equals("all")
                                        || List.of(chosen.split(",")).contains(name(each)));
    }

    private static String name(Language language) {
        return language.name().toLowerCase(Locale.ROOT);
    }

    @BeforeAll
    static void writeDocument() throws IOException {
        Files.createDirectories(Generator.FOLDER);
        Files.writeString(DOCUMENT, TwoInstances.one().get("/v3/api-docs").body());
    }

    @ParameterizedTest
    @MethodSource("languages")
    void aGeneratedClientWorks(Language language) {
        String name = name(language);
        Path client = Generator.FOLDER.resolve(name);
        Generator.generate(DOCUMENT, language.sources(client), language.options());
        assumeThat(language.missing()).as("missing on this machine").isEmpty();

        language.compile(client);

        List<String> command = language.command(client);
        if (!command.isEmpty()) {
            String address = "http://localhost:" + TwoInstances.one().port();
            String printed =
                    Tool.run(
                            client,
                            Stream.concat(
                                            command.stream(),
                                            Stream.of(address, "generated-client-" + name))
                                    .toList());
            assertThat(printed.lines()).containsExactlyElementsOf(PRINTED);
        }
    }
}
