package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes. */
public final class Signal {

    private Signal() {}

    /** Sends a signal, such as {@code STOP} or {@code CONT}. */
    public static void send(String name, long pid) {
        send(name, List.of(pid));
    }

    /** Sends a signal to several processes and ignores those that have ended. */
    public static void send(String name, List<Long> pids) {
        var command = Stream.of("kill", "-" + name);
        var all = Stream.concat(command, pids.stream().map(String::valueOf)).toList();
        try {
            int code = new ProcessBuilder(all).start().waitFor();
            if (code != 0 && pids.size() == 1) {
                throw new IllegalStateException("no such process");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
