package dev.ovation.testing;

import redis.embedded.core.ExecutableProvider;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Redis of its own on a free port, which a test may kill and start again. */
public final class RedisProcess implements AutoCloseable {

    private static final Path EXECUTABLE = executable();

    private final Path directory;
    private final int port;
    private final List<String> options;
    private Process process;

    private RedisProcess(List<String> options) {
        try {
            this.directory = Files.createTempDirectory("ovation-redis");
            try (var socket = new ServerSocket(0)) {
                this.port = socket.getLocalPort();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.options = options;
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    /**
     * Starts one that keeps nothing on disk, unless {@code options} (as on its command line) say
     * so.
     */
    public static RedisProcess start(String... options) {
        var redis = new RedisProcess(List.of(options));
        redis.restart();
        return redis;
    }

    /** Starts the process again, on the same port and folder, and waits until it accepts. */
    public void restart() {
        var command = new ArrayList<>(List.of(EXECUTABLE.toString(), "--port", "" + port));
        command.addAll(List.of("--save", "", "--maxmemory-policy", "volatile-lru"));
        command.addAll(options);
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("redis.log").toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Wait.until("Redis accepts", Duration.ofSeconds(20), this::accepts);
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public Path directory() {
        return directory;
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        kill();
    }

    private boolean accepts() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            socket.getOutputStream().write("PING\r\n".getBytes());
            return new String(socket.getInputStream().readNBytes(5)).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path executable() {
        try {
            File file = ExecutableProvider.newJarResourceProvider().get();
            return file.toPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
