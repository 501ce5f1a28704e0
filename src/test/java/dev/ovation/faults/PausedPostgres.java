package dev.ovation.faults;

import org.springframework.jdbc.core.JdbcTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Postgres of the tests standing still (SIGSTOP), all its processes: connections stay open and
 * say nothing, new ones are accepted by the kernel alone. Only of the embedded binary: tests that
 * use it are tagged {@code embedded}.
 */
final class PausedPostgres implements AutoCloseable {

    private final ProcessHandle server;

    private PausedPostgres(ProcessHandle server) {
        this.server = server;
    }

    static PausedPostgres pause(JdbcTemplate sql) {
        long session = sql.queryForObject("select pg_backend_pid()", Long.class);
        var server = ProcessHandle.of(session).flatMap(ProcessHandle::parent);
        var paused = new PausedPostgres(server.orElseThrow());
        paused.signal("-STOP");
        return paused;
    }

    /** Goes on (SIGCONT). */
    @Override
    public void close() {
        signal("-CONT");
    }

    /** The first process first: a server that stands still makes no new ones. */
    private void signal(String signal) {
        kill(signal, Stream.of(server));
        kill(signal, server.children());
    }

    private static void kill(String signal, Stream<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        processes.forEach(one -> command.add("" + one.pid()));
        try {
            new ProcessBuilder(command).start().waitFor(); // one that has ended is no failure
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
