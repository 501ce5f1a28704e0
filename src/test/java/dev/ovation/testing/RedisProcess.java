package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate Redis on a free port, which a test may kill and restart: a process of the embedded
 * binary, or a container with {@code -Ptestcontainers}.
 */
public final class RedisProcess implements AutoCloseable {

    private static final List<String> DEFAULTS =
            List.of("--save", "", "--maxmemory-policy", "volatile-lru");

    private final Path directory;
    private final int port = Ports.free();
    private final RedisServer server;

    private RedisProcess(List<String> options) {
        try {
            this.directory = Files.createTempDirectory("ovation-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server = server(options);
    }

    /** A cluster takes the place of a server without options of its own. */
    private RedisServer server(List<String> options) {
        if (Containers.CHOSEN) {
            return new RedisServer.Contained(port, options);
        }
        return RedisCluster.CHOSEN && options.size() == DEFAULTS.size()
                ? new RedisServer.Clustered()
                : new RedisServer.Local(port, directory, options);
    }

    /**
     * Starts a server without persistence, unless {@code options} (as on its command line) enable
     * it.
     */
    public static RedisProcess start(String... options) {
        var all = new ArrayList<>(DEFAULTS);
        all.addAll(List.of(options));
        var redis = new RedisProcess(all);
        redis.restart();
        return redis;
    }

    /** Restarts the process on the same port and folder, and waits until it accepts connections. */
    public void restart() {
        server.start();
        Wait.until("Redis accepts, or has ended", () -> !server.isAlive() || accepts());
        if (!server.isAlive()) {
            // If this port answers now, then another program does.
            throw new AssertionError("Redis has ended:\n" + server.log());
        }
    }

    /** Sends SIGKILL; returns when the process has ended. */
    public void kill() {
        server.kill();
    }

    /** Sends SIGSTOP: connections stay, and no request is answered; embedded binary only. */
    public void pause() {
        Signal.send("STOP", pid());
    }

    /** Sends SIGCONT. */
    public void resume() {
        Signal.send("CONT", pid());
    }

    /** Returns a copy of the data on disk of a stopped server; embedded binary only. */
    public Path copy() {
        return Folders.copy(directory());
    }

    /** Replaces the data of a stopped server by a copy; null leaves the folder empty. */
    public void replace(Path copy) {
        Folders.replace(directory(), copy);
    }

    /** Process id; embedded binary only: tests that use it are tagged {@code embedded}. */
    public long pid() {
        return local().pid();
    }

    /**
     * Folder of the server; embedded binary only: tests that use it are tagged {@code embedded}.
     */
    public Path directory() {
        local();
        return directory;
    }

    public int port() {
        return port;
    }

    /** Address for the default user, which has all rights. */
    public String uri() {
        return server.uri(port);
    }

    /** Opens a session for commands past the service, which the caller closes. */
    public RedisSession session() {
        return server.session(port);
    }

    @Override
    public void close() {
        server.discard();
    }

    private RedisServer.Local local() {
        if (server instanceof RedisServer.Local local) {
            return local;
        }
        throw new IllegalStateException("a test that needs the process must be tagged: embedded");
    }

    /** Whether the server answers, be it with data of its own or not. */
    boolean accepts() {
        return server.accepts(port);
    }
}
