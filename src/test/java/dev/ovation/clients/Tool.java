package dev.ovation.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of this machine. */
final class Tool {

    private static final int MOST_MINUTES = 10;

    private Tool() {}

    /** Whether one of the folders of {@code PATH} has this program. */
    static boolean exists(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /**
     * Runs a program to its end and returns what it printed.
     *
     * @param folder in which it runs
     * @throws AssertionError if it fails or does not end
     */
    static String run(Path folder, List<String> command) {
        try {
            Path output = Files.createTempFile("ovation-tool", ".log");
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            boolean ended = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
            process.destroyForcibly();
            String printed = Files.readString(output);
            Files.delete(output);
            assertThat(ended).as("%s ends: %s", command, printed).isTrue();
            assertThat(process.exitValue()).as("%s: %s", command, printed).isZero();
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The files in a folder, also in those below it, whose names end so. */
    static List<String> files(Path folder, String end) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(Path::toString).filter(each -> each.endsWith(end)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The {@code java} of this process. */
    static String java() {
        return ProcessHandle.current().info().command().orElseThrow();
    }
}
