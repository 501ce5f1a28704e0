package dev.ovation.embedded.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zonky.test.db.postgres.util.LinuxUtils;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The embedded Postgres: it listens on loopback only, requires a password, and keeps its data.
 *
 * <p>{@code pg_ctl} gives the postmaster a session of its own. The server's defaults for {@code
 * fsync} and {@code synchronous_commit} (on) stay, because acknowledged means durable here too.
 */
public final class EmbeddedPostgres extends EmbeddedServer {

    public static final String USER = "postgres";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final Duration START_BOUND = Duration.ofMinutes(2);
    private static final Duration STOP_BOUND = Duration.ofSeconds(15);
    private static final String SETTINGS =
            " -c listen_addresses=127.0.0.1 -c unix_socket_directories="
                    + " -c max_connections=200 -c timezone=UTC -c log_timezone=UTC";

    private final Path executables;
    private final Path folder;
    private final Path data;
    private final Path log;
    private final Path output;
    private final int wantedPort;
    private int port;
    private String password = "";

    /** Prepares a server in {@code folder}; {@code wantedPort} 0 means any free port. */
    public EmbeddedPostgres(DataFolder folder, int wantedPort) throws IOException {
        super(BackingService.POSTGRES, folder.executables());
        this.executables = folder.executables();
        this.folder = folder.of("postgres");
        this.data = this.folder.resolve("data");
        this.log = this.folder.resolve("postgres.log");
        this.output = this.folder.resolve("command.log");
        this.wantedPort = wantedPort;
    }

    @Override
    Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    @Override
    public int port() {
        return port;
    }

    /** Returns the JDBC address of the database. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Returns the password of {@link #USER}, once the server has started. */
    public String password() {
        return password;
    }

    @Override
    void launch() throws IOException {
        if (!Files.exists(data)) {
            LOG.info("Making a Postgres in {}: the first start takes some seconds longer", folder);
        }
        Path bin = PostgresBinaries.unpack(executables).resolve("bin");
        var access = new PostgresAccess(folder, data);
        password = access.password();
        if (!Files.exists(data)) {
            initialize(bin, access);
        }
        disownStranger();
        keepPrevious(log);
        port = Ports.choose(wantedPort, "ovation.embedded.postgres-port");
        startPostmaster(bin);
        access.requirePassword(url());
        LOG.info(
                "Embedded Postgres listens on 127.0.0.1:{}, its data is in {}, its password in {}",
                port,
                data,
                access.passwordFile());
    }

    private void initialize(Path bin, PostgresAccess access) throws IOException {
        // Moved into place when complete, so that a start that is killed here leaves no partial
        // folder.
        Path unfinished = folder.resolve("data.unfinished");
        FileSystemUtils.deleteRecursively(unfinished);
        run(
                List.of(
                        bin.resolve("initdb").toString(),
                        "--pgdata=" + unfinished,
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + access.passwordFile(),
                        "--encoding=UTF-8",
                        "--locale=C"),
                START_BOUND);
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Replaces a foreign pid in the server's pid file. Postgres refuses to start while the pid in
     * it belongs to any process of this user: after a reboot it may, and so may the pid of a killed
     * server that no process has reaped. Postgres ignores the pid of the process that starts it, so
     * this method writes that pid. Postgres still refuses to start while one of its own processes
     * holds the shared memory that the file names.
     */
    private void disownStranger() throws IOException {
        if (Pid.isStranger(pidFile(), executables)) {
            // ISO 8859-1 keeps every byte, because the file holds paths in an unknown encoding.
            var lines = new ArrayList<>(Files.readAllLines(pidFile(), ISO_8859_1));
            lines.set(0, ProcessHandle.current().pid() + "");
            Files.write(pidFile(), lines, ISO_8859_1);
        }
    }

    private void startPostmaster(Path bin) throws IOException {
        try {
            pgCtl(bin, "start", START_BOUND, "-l", log.toString(), "-o", "-p " + port + SETTINGS);
        } catch (IOException e) {
            // Without a log the server did not start, and the command printed the reason.
            throw Files.exists(log)
                    ? new IOException(log + ": " + CommandRunner.lastLine(log), e)
                    : e;
        }
    }

    @Override
    void end(Pid process) {
        try {
            pgCtl(process.executable().resolveSibling("."), "stop", STOP_BOUND, "-m", "fast");
        } catch (IOException e) {
            LOG.warn("pg_ctl did not stop the embedded Postgres: {}", e.toString());
        }
    }

    private void pgCtl(Path bin, String action, Duration bound, String... arguments)
            throws IOException {
        var command =
                new ArrayList<>(List.of(bin.resolve("pg_ctl").normalize().toString(), action));
        command.addAll(List.of("-D", data.toString(), "-w", "-t", "" + bound.toSeconds()));
        command.addAll(List.of(arguments));
        run(command, bound.plusSeconds(5));
    }

    private void run(List<String> command, Duration bound) throws IOException {
        // Postgres refuses to run as root; in a user namespace it is not root.
        var whole = new ArrayList<String>();
        if (LinuxUtils.isUnshareAvailable()) {
            whole.addAll(List.of("unshare", "-U"));
        }
        whole.addAll(command);
        CommandRunner.run(whole, output, bound);
    }
}
