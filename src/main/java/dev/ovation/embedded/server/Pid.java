package dev.ovation.embedded.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The process of a pid file, if it belongs to this service. */
final class Pid {

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    private final ProcessHandle process;

    private final Path executable;

    private Pid(ProcessHandle process, Path executable) {
        this.process = process;
        this.executable = executable;
    }

    /**
     * Returns the running process named in the first line of {@code file}; empty when it has ended
     * or is foreign. The system reuses pids, in particular after a reboot. A process belongs to
     * this service if its executable is in {@code executables}.
     */
    static Optional<Pid> ours(Path file, Path executables) throws IOException {
        return noted(file).flatMap(process -> ours(process, executables));
    }

    /** Returns whether {@code file} names a process that may be foreign. */
    static boolean isStranger(Path file, Path executables) throws IOException {
        return noted(file).filter(process -> ours(process, executables).isEmpty()).isPresent();
    }

    /** Returns a process that runs this executable; empty for none. */
    static Optional<Pid> running(Path executable) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> ours(process, executable).stream())
                .findFirst();
    }

    private static Optional<ProcessHandle> noted(Path file) throws IOException {
        List<String> lines =
                Files.exists(file)
                        ? Files.readAllLines(file, StandardCharsets.ISO_8859_1)
                        : List.of();
        try {
            return lines.isEmpty()
                    ? Optional.empty()
                    : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Pid> ours(ProcessHandle process, Path executables) {
        return process.info()
                .command()
                .map(Path::of)
                .filter(executable -> executable.startsWith(executables))
                .map(executable -> new Pid(process, executable));
    }

    // A process that its parent has not reaped counts as alive, but has no command any more.
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    /** Returns whether the process still runs. */
    boolean runs() {
        return runs(process);
    }

    long value() {
        return process.pid();
    }

    /** Returns the executable of the process. */
    Path executable() {
        return executable;
    }

    /** Asks the process to end (SIGTERM). */
    void terminate() {
        process.destroy();
    }

    /** Waits for the end of the process; after the bound kills it and its children. */
    void awaitEnd(Duration bound) {
        if (!await(bound, () -> !runs(process))) {
            List<ProcessHandle> family = process.descendants().toList();
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
            await(KILL_BOUND, () -> !runs(process) && family.stream().noneMatch(Pid::runs));
        }
    }

    /**
     * Waits for a condition, also when the thread is interrupted. Returns whether the condition
     * became true.
     */
    static boolean await(Duration bound, BooleanSupplier condition) {
        long end = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(5_000_000);
        }
        return true;
    }
}
