package dev.ovation.embedded.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import redis.embedded.core.ExecutableProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The embedded Redis: it listens on loopback only, requires a password, and keeps no data, so each
 * start exercises recovery.
 *
 * <p>As a daemon it has a session of its own. Its password is in a file of settings, because every
 * user of the machine could read it on a command line.
 */
public final class EmbeddedRedis extends EmbeddedServer {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final Duration START_BOUND = Duration.ofMinutes(2);

    private final ExecutableProvider provider;
    private final Path executables;
    private final Path folder;
    private final Path log;
    private final int wantedPort;
    private int port;
    private String password = "";

    /** Prepares a server in {@code folder}; {@code wantedPort} 0 means any free port. */
    public EmbeddedRedis(DataFolder folder, int wantedPort) throws IOException {
        this(
                folder,
                wantedPort,
                ExecutableProvider.newJarResourceProvider(folder.executables().toFile()));
    }

    /** Prepares a server whose executable comes from a provider. */
    EmbeddedRedis(DataFolder folder, int wantedPort, ExecutableProvider provider)
            throws IOException {
        super(BackingService.REDIS, folder.executables());
        this.provider = provider;
        this.executables = folder.executables();
        this.folder = folder.of("redis");
        this.log = this.folder.resolve("redis.log");
        this.wantedPort = wantedPort;
    }

    @Override
    Path pidFile() {
        return folder.resolve("redis.pid");
    }

    @Override
    public int port() {
        return port;
    }

    /** Returns the password, once the server has started. */
    public String password() {
        return password;
    }

    @Override
    void launch() throws IOException {
        password = Password.kept(folder.resolve("password"));
        Path settings = folder.resolve("redis.conf");
        Password.write(settings, "requirepass " + password);
        Files.createDirectories(executables);
        Path executable = provider.get().toPath();
        Files.deleteIfExists(pidFile());
        keepPrevious(log);
        port = Ports.choose(wantedPort, "ovation.embedded.redis-port");
        CommandRunner.run(
                command(executable, settings), folder.resolve("command.log"), START_BOUND);
        Optional<Pid> daemon = Pid.running(executable);
        // Redis writes its pid after it has begun to listen.
        Pid.await(START_BOUND, () -> isUp() || daemon.filter(Pid::runs).isEmpty());
        if (!isUp()) {
            throw failed(daemon);
        }
        LOG.info(
                "Embedded Redis listens on 127.0.0.1:{}, empty, with the password in {}",
                port,
                folder.resolve("password"));
    }

    /** Returns the failure of a start, with the end of the log: a daemon has no exit code. */
    private IOException failed(Optional<Pid> daemon) throws IOException {
        boolean runs = daemon.filter(Pid::runs).isPresent();
        daemon.ifPresent(Pid::terminate);
        return new IOException(
                "%s after its start, %s: %s"
                        .formatted(
                                runs ? "not up " + START_BOUND : "it ended",
                                log,
                                CommandRunner.lastLines(log)));
    }

    private List<String> command(Path executable, Path settings) {
        return List.of(
                executable.toString(),
                settings.toString(),
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--daemonize",
                "yes",
                "--pidfile",
                pidFile().toString(),
                "--logfile",
                log.toString(),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                "--maxmemory-policy",
                "volatile-lru");
    }

    private boolean isUp() {
        try {
            return Pid.ours(pidFile(), executables).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void end(Pid process) {
        process.terminate();
    }
}
