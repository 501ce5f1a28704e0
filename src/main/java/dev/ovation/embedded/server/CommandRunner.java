package dev.ovation.embedded.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs short commands that start and stop servers. */
final class CommandRunner {

    private static final int LAST_LINES = 3;
    private static final String NOTHING = "it printed nothing";

    private CommandRunner() {}

    /**
     * Runs a command to its end, also when the thread is interrupted: an interrupted start would
     * leave a server that no process manages.
     *
     * @param output receives the output of the command; a file, because a server may inherit it
     * @throws IOException when the command cannot be run, fails, or exceeds the bound
     */
    static void run(List<String> command, Path output, Duration bound) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(output.toFile());
        // One locale on every machine; macOS needs one to be set for Postgres to start at all.
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        if (!ends(process, bound)) {
            process.destroyForcibly();
            throw new IOException(command.getFirst() + " did not end within " + bound);
        }
        if (process.exitValue() != 0) {
            throw new IOException(lastLine(output));
        }
    }

    private static boolean ends(Process process, Duration bound) {
        long end = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Returns the line of a log that most likely names the error, or a text that the log is empty.
     */
    static String lastLine(Path log) throws IOException {
        List<String> lines = lines(log);
        return lines.reversed().stream()
                .filter(line -> line.contains("FATAL") || line.contains("error"))
                .findFirst()
                .orElse(lines.isEmpty() ? NOTHING : lines.getLast())
                .strip();
    }

    /** Returns the last lines of a log as one line, or a text that the log is empty. */
    static String lastLines(Path log) throws IOException {
        List<String> lines = lines(log);
        return lines.isEmpty()
                ? NOTHING
                : lines.stream()
                        .skip(Math.max(0, lines.size() - LAST_LINES))
                        .map(String::strip)
                        .collect(Collectors.joining("; "));
    }

    private static List<String> lines(Path log) throws IOException {
        List<String> lines =
                Files.exists(log)
                        ? Files.readAllLines(log, StandardCharsets.ISO_8859_1)
                        : List.of();
        return lines.stream().filter(line -> !line.isBlank()).toList();
    }
}
