package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Redis of its own on a free port, which a test may kill and start again: a process of the
 * embedded binary, or with {@code -Ptestcontainers} a container.
 */
public final class RedisProcess implements AutoCloseable {

    private final Path directory;
    private final int port = Ports.free();
    private final RedisServer server;

    private RedisProcess(List<String> options) {
        try {
            this.directory = Files.createTempDirectory("ovation-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server =
                Containers.CHOSEN
                        ? new RedisServer.Contained(port, options)
                        : new RedisServer.Local(port, directory, options);
    }

    /**
     * Starts one that keeps nothing on disk, unless {@code options} (as on its command line) say
     * so.
     */
    public static RedisProcess start(String... options) {
        var all = new ArrayList<>(List.of("--save", "", "--maxmemory-policy", "volatile-lru"));
        all.addAll(List.of(options));
        var redis = new RedisProcess(all);
        redis.restart();
        return redis;
    }

    /** Starts the process again, on the same port and folder, and waits until it accepts. */
    public void restart() {
        server.start();
        Wait.until("Redis accepts, or has ended", () -> !server.isAlive() || accepts());
        if (!server.isAlive()) {
            // Another program answers on this port then, if any.
            throw new AssertionError("Redis has ended: see the log in " + directory);
        }
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() {
        server.kill();
    }

    /** SIGSTOP: connections stay, nothing answers; only of the embedded binary. */
    public void pause() {
        Signal.send("STOP", pid());
    }

    /** SIGCONT. */
    public void resume() {
        Signal.send("CONT", pid());
    }

    /** Returns a copy of its data on disk; only of the embedded binary, and not while it runs. */
    public Path copy() {
        return Folders.copy(directory());
    }

    /** Puts a copy in the place of its data, null to leave it empty; not while it runs. */
    public void replace(Path copy) {
        Folders.replace(directory(), copy);
    }

    /** The process; only of the embedded binary: tests that ask are tagged {@code embedded}. */
    public long pid() {
        return local().pid();
    }

    /** Its folder; only of the embedded binary: tests that ask are tagged {@code embedded}. */
    public Path directory() {
        local();
        return directory;
    }

    public int port() {
        return port;
    }

    /** Its address, for the default user, who may do everything. */
    public String uri() {
        return "redis://" + server.host() + ":" + port;
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

    private boolean accepts() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), port), 200);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes());
            return new String(socket.getInputStream().readNBytes(5)).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }
}
