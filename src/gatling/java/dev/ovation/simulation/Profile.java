package dev.ovation.simulation;

import dev.ovation.bench.FlameGraph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A JFR recording of a service, and its flame graph. */
final class Profile {

    private final Path recording;
    private final Path graph;

    private Profile(Path recording, Path graph) {
        this.recording = recording;
        this.graph = graph;
    }

    /** The profile beside the result of a run, as {@code .jfr} and {@code .html}. */
    static Profile beside(Path result) {
        String stem = result.getFileName().toString().replaceFirst("\\.json$", "");
        // A comma ends the name in the JVM's option.
        String name = stem.replaceAll("[^A-Za-z0-9._-]+", "_");
        Path file = result.toAbsolutePath();
        return new Profile(file.resolveSibling(name + ".jfr"), file.resolveSibling(name + ".html"));
    }

    /** Flags of the recorded JVM; it writes the recording when it ends. */
    List<String> flags() {
        try {
            Files.createDirectories(recording.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
        return List.of(
                "-XX:StartFlightRecording=filename=%s,settings=profile%s"
                        .formatted(recording, linux ? ",jdk.CPUTimeSample#enabled=true" : ""),
                "-XX:FlightRecorderOptions=stackdepth=256");
    }

    /** Draws the flame graph; call it after the end of that JVM. */
    void draw() {
        try {
            FlameGraph.draw(recording, graph);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        IO.println("profile: " + recording + ", " + graph);
    }
}
