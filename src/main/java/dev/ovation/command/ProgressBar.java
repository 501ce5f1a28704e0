package dev.ovation.command;

import java.io.Console;
import java.io.PrintStream;

/**
 * A line that is overwritten. If the output is no terminal, only the last state of each task is
 * printed.
 */
final class ProgressBar {

    /** The total of a task of unknown size. */
    static final long UNKNOWN = -1;

    private static final int WIDTH = 40;
    private static final long EVERY_NANOS = 100_000_000;

    private final PrintStream err;
    private final boolean watched;
    private long shown;

    ProgressBar(PrintStream err) {
        this.err = err;
        this.watched = isWatched();
    }

    /** JDK 22 to 24 return a console even without a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isWatched() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** Shows the progress of a task, if it differs from the last one shown. */
    void show(String task, long done, long total) {
        if (watched && System.nanoTime() - shown > EVERY_NANOS) {
            shown = System.nanoTime();
            err.print('\r' + line(task, done, total));
        }
    }

    /** Shows the end of a task. */
    void end(String task, long done, long total) {
        err.println((watched ? "\r" : "") + line(task, done, total));
    }

    static String line(String task, long done, long total) {
        if (total == UNKNOWN) {
            return "%-10s %,d".formatted(task, done);
        }
        double share = total <= 0 ? 1 : Math.min(1, (double) done / total);
        int filled = (int) (share * WIDTH);
        return "%-10s [%s%s] %3d %%  %,d of %,d"
                .formatted(
                        task,
                        "#".repeat(filled),
                        ".".repeat(WIDTH - filled),
                        (int) (share * 100),
                        done,
                        total);
    }
}
