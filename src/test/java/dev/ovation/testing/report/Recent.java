package dev.ovation.testing.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last lines of a kind, oldest first, each with its time. A line that repeats its predecessor
 * is counted instead of stored, so that polling does not displace the rest.
 */
public final class Recent {

    /** Requests of tests with their answers, in all lanes. */
    public static final Recent REQUESTS = new Recent(12, 600);

    /** Standstills of this JVM of more than a second. */
    static final Recent STANDSTILLS = new Recent(5, 200);

    /** Lines of the standard output, including the logs of all instances in this JVM. */
    public static final Recent OUTPUT = new Recent(80, 1000);

    private static final int FILES = 3;
    private static final int LINES_OF_A_FILE = 40;
    private static final ArrayDeque<Path> OUTPUT_FILES = new ArrayDeque<>();

    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private final int most;
    private final int width;

    private record Line(LocalTime time, String text, int times) {

        @Override
        public String toString() {
            String at = time.truncatedTo(ChronoUnit.MILLIS).toString();
            return at + " " + text + (times == 1 ? "" : " (%d times)".formatted(times));
        }
    }

    /**
     * @param most lines that are kept
     * @param width characters of a line that are kept
     */
    Recent(int most, int width) {
        this.most = most;
        this.width = width;
    }

    public synchronized void add(String line) {
        String kept = line.length() > width ? line.substring(0, width) + "…" : line;
        Line last = lines.peekLast();
        if (last != null && last.text().equals(kept)) {
            lines.removeLast();
            lines.addLast(new Line(LocalTime.now(), kept, last.times() + 1));
            return;
        }
        if (lines.size() == most) {
            lines.removeFirst();
        }
        lines.addLast(new Line(LocalTime.now(), kept, 1));
    }

    /** The stored lines. */
    synchronized List<String> lines() {
        return lines.stream().map(Line::toString).toList();
    }

    /** Registers a file to which another process writes its output; the last 3 are kept. */
    public static void addFile(Path output) {
        synchronized (OUTPUT_FILES) {
            OUTPUT_FILES.addLast(output);
            if (OUTPUT_FILES.size() > FILES) {
                OUTPUT_FILES.removeFirst();
            }
        }
    }

    /** The last lines of each registered file that still exists. */
    static List<String> fileLines() {
        synchronized (OUTPUT_FILES) {
            return OUTPUT_FILES.stream().flatMap(Recent::tail).toList();
        }
    }

    private static Stream<String> tail(Path file) {
        try {
            List<String> all = Files.readAllLines(file);
            return all.subList(Math.max(0, all.size() - LINES_OF_A_FILE), all.size()).stream()
                    .map(line -> file.getFileName() + ": " + line);
        } catch (IOException e) {
            return Stream.empty(); // deleted with its process
        }
    }
}
