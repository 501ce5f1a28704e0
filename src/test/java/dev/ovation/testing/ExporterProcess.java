package dev.ovation.testing;

import dev.ovation.testing.report.Recent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An exporter of metrics, or a Sentinel of Redis, by a binary of this machine. */
public final class ExporterProcess implements AutoCloseable {

    private static final Path FOLDER = Path.of("/usr/bin");

    private final int port;
    private final ProcessBuilder command;
    private final String name;
    private Process process;

    private ExporterProcess(
            String name, int port, Map<String, String> variables, List<String> arguments) {
        this.name = name;
        this.port = port;
        var all = new ArrayList<>(List.of(FOLDER.resolve(name).toString()));
        all.addAll(arguments);
        try {
            Path log = Files.createTempFile("ovation-" + name, ".log");
            Recent.addFile(log);
            command =
                    new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        command.environment().putAll(variables);
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    /** Returns whether this machine has the program. */
    public static boolean isInstalled(String name) {
        return Files.isExecutable(FOLDER.resolve(name));
    }

    /** The exporter of one Postgres. */
    public static ExporterProcess of(PostgresProcess postgres) {
        String address =
                "postgresql://postgres@127.0.0.1:%d/postgres?sslmode=disable"
                        .formatted(postgres.port());
        return exporter(
                "prometheus-postgres-exporter", Map.of("DATA_SOURCE_NAME", address), List.of());
    }

    /** The exporter of all servers of Redis. */
    public static ExporterProcess ofRedis() {
        return exporter("prometheus-redis-exporter", Map.of(), List.of("--redis.addr="));
    }

    /** The exporter of the metrics in files of a folder. */
    public static ExporterProcess ofFiles(Path folder) {
        return exporter(
                "prometheus-node-exporter",
                Map.of(),
                List.of(
                        "--collector.disable-defaults",
                        "--collector.textfile",
                        "--collector.textfile.directory=" + folder));
    }

    private static ExporterProcess exporter(
            String name, Map<String, String> variables, List<String> arguments) {
        int port = Ports.free();
        var all = new ArrayList<>(arguments);
        all.add("--web.listen-address=127.0.0.1:" + port);
        return started(new ExporterProcess(name, port, variables, all));
    }

    /** A Sentinel that watches a Redis, with a quorum of two. */
    public static ExporterProcess sentinelOf(RedisProcess redis) {
        int port = Ports.free();
        try {
            Path file = Files.createTempDirectory("ovation-sentinel").resolve("sentinel.conf");
            Files.writeString(
                    file,
                    """
                    bind 127.0.0.1
                    port %d
                    sentinel monitor ovation 127.0.0.1 %d 2
                    sentinel down-after-milliseconds ovation 2000
                    """
                            .formatted(port, redis.port()));
            return started(
                    new ExporterProcess(
                            "redis-sentinel", port, Map.of(), List.of(file.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ExporterProcess started(ExporterProcess program) {
        program.start();
        return program;
    }

    /** Starts it again on the same port. */
    public void start() {
        try {
            process = command.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Wait.until(name + " listens, or has ended", () -> !process.isAlive() || listens());
        if (!process.isAlive()) {
            throw new AssertionError(name + " has ended");
        }
    }

    private boolean listens() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            return true;
        }
    }

    public int port() {
        return port;
    }

    /** Sends SIGKILL; returns when it has ended. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
