package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

class BesideTest {

    /** The classes that run one after the other share these servers, without a lock. */
    @Test
    void noClassBesideTheOthersUsesTheirServers() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            assertThat(files.filter(file -> file.toString().endsWith("Test.java")))
                    .filteredOn(file -> text(file).contains("\n@Beside\n"))
                    .hasSizeGreaterThan(50)
                    .noneMatch(
                            file ->
                                    text(file).contains("TwoInstances.")
                                            || text(file).contains("extends ApiFixture"));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
