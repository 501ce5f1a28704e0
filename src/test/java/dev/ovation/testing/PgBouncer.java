package dev.ovation.testing;

import dev.ovation.testing.report.Recent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A PgBouncer in transaction mode before a Postgres, by the binary of this machine. */
public final class PgBouncer implements AutoCloseable {

    /** Debian's place; {@code -Dpgbouncer} names another. */
    private static final Path BINARY =
            Path.of(System.getProperty("pgbouncer", "/usr/sbin/pgbouncer"));

    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");

    private final int port = Ports.free();
    private final Path folder;
    private final boolean preparing;
    private Process process;

    private PgBouncer(int postgres, String user, int sessions) {
        this.preparing = isNewerThan(1, 20);
        try {
            folder = Files.createTempDirectory("ovation-pgbouncer");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.writeString(folder.resolve("users"), "\"%s\" \"\"\n".formatted(user));
            Files.writeString(
                    folder.resolve("pgbouncer.ini"),
                    """
                    [databases]
                    * = host=127.0.0.1 port=%d
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = trust
                    auth_file = %s
                    pool_mode = transaction
                    default_pool_size = %d
                    max_client_conn = 500
                    query_wait_timeout = 2
                    ignore_startup_parameters = extra_float_digits,options
                    """
                                    .formatted(postgres, port, folder.resolve("users"), sessions)
                            + (preparing ? "max_prepared_statements = 200\n" : ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether this machine has the binary. */
    public static boolean isInstalled() {
        return Files.isExecutable(BINARY);
    }

    /**
     * Starts it before a Postgres on this machine.
     *
     * @param user the role of all clients
     * @param sessions most sessions of Postgres
     */
    public static PgBouncer before(PostgresProcess postgres, String user, int sessions) {
        var pooler = new PgBouncer(postgres.port(), user, sessions);
        pooler.start();
        return pooler;
    }

    /** Starts it again on the same port. */
    public void start() {
        var command = new ArrayList<>(List.of(BINARY.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody")); // PgBouncer refuses to run as root
        }
        command.add(folder.resolve("pgbouncer.ini").toString());
        Path log = folder.resolve("log");
        Recent.addFile(log);
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Wait.until("PgBouncer listens, or has ended", () -> !process.isAlive() || listens());
        if (!process.isAlive()) {
            throw new AssertionError("PgBouncer has ended, see " + log);
        }
    }

    private boolean listens() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            return true;
        }
    }

    /** Returns the JDBC address of a database through it, with the parameters that it needs. */
    public String url(String database) {
        String address = "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
        return preparing ? address : address + "?prepareThreshold=0";
    }

    /** Sends SIGKILL; returns when it has ended. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    private static boolean isNewerThan(int major, int minor) {
        try {
            var version = new ProcessBuilder(BINARY.toString(), "--version").start();
            String text = new String(version.getInputStream().readAllBytes());
            var found = VERSION.matcher(text);
            if (!found.find()) {
                throw new IllegalStateException("PgBouncer has no version: " + text);
            }
            int its = Integer.parseInt(found.group(1));
            return its > major || (its == major && Integer.parseInt(found.group(2)) > minor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
