package dev.ovation.testing.report;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The last lines of a kind, oldest first, each with its time. A line that repeats its predecessor
 * is counted instead of kept again, so that polling does not displace the rest.
 */
public final class Recent {

    /** Requests of tests with their answers, in both lanes. */
    public static final Recent REQUESTS = new Recent(12, 600);

    /** Lines on the standard output, the logs of all instances in this JVM among them. */
    public static final Recent OUTPUT = new Recent(80, 1000);

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

    /** Appends a line. */
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

    /** The kept lines. */
    synchronized List<String> lines() {
        return lines.stream().map(Line::toString).toList();
    }
}
