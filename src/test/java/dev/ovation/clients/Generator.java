package dev.ovation.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The command line of openapi-generator, whose jar the build copies. */
final class Generator {

    /** Folder of the document, of the generator and of the clients. */
    static final Path FOLDER = Path.of("target/clients").toAbsolutePath();

    private static final Path JAR = FOLDER.resolve("openapi-generator-cli.jar");

    private Generator() {}

    /**
     * Generates a client.
     *
     * @param document a file
     * @param output emptied folder of the client
     * @param options name of the generator and its settings
     * @throws AssertionError if the generator fails or its log has an error
     */
    static void generate(Path document, Path output, List<String> options) {
        assertThat(JAR).as("./mvnw generate-test-resources copies the generator").exists();
        empty(output);
        var command =
                new ArrayList<>(
                        List.of(
                                Tool.java(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-jar",
                                JAR.toString(),
                                "generate",
                                "-i",
                                document.toString(),
                                "-o",
                                output.toString()));
        command.addAll(options);
        assertThat(Tool.run(FOLDER, command).lines().filter(line -> line.contains("ERROR")))
                .as("errors of the generator")
                .isEmpty();
    }

    private static void empty(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
