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
 * The embedded Redis: listens on loopback only, asks for a password, keeps nothing, so each start
 * exercises recovery.
 *
 * <p>As a daemon it takes a session of its own. Its password stands in a file of settings: on a
 * command line every user of the machine could read it.
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

    /** Prepares one in {@code folder}; {@code wantedPort} 0 means any free one. */
    public EmbeddedRedis(DataFolder folder, int wantedPort) throws IOException {
        this(
                folder,
                wantedPort,
                ExecutableProvider.newJarResourceProvider(folder.executables().toFile()));
    }

    /** Prepares one whose executable, in the folder of executables, comes from a provider. */
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

    /** What it asks for, once it is launched. */
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
        // Redis writes its pid when it listens already.
        Pid.await(START_BOUND, () -> isUp() || daemon.filter(Pid::runs).isEmpty());
        if (!isUp()) {
            throw failed(daemon);
        }
        LOG.info(
                "Embedded Redis listens on 127.0.0.1:{}, empty, with the password in {}",
                port,
                folder.resolve("password"));
    }

    /** The daemon names no exit code, but says in its log why it ends. */
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
