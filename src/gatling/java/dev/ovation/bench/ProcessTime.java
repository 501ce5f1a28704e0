package dev.ovation.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;

/** Processor time of processes, from {@code /proc}; Linux only. */
final class ProcessTime {

    private static final double SECONDS_PER_TICK = 0.01; // USER_HZ is 100 on every Linux

    private ProcessTime() {}

    /** Seconds that processes and all their descendants used, including ended ones. */
    static double seconds(Collection<Long> pids) {
        var descendants =
                pids.stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .flatMap(ProcessHandle::descendants)
                        .map(ProcessHandle::pid);
        return Stream.concat(pids.stream(), descendants).mapToLong(ProcessTime::ticks).sum()
                * SECONDS_PER_TICK;
    }

    private static long ticks(long pid) {
        try {
            return ticks(Files.readString(Path.of("/proc/" + pid + "/stat")));
        } catch (NoSuchFileException _) {
            return 0; // it ended; its parent has its time
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sum of utime, stime, cutime and cstime; the name before them may contain any text. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Arrays.stream(fields, 11, 15).mapToLong(Long::parseLong).sum();
    }
}
