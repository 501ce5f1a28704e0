package dev.ovation.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate Postgres on a free port, which a test may stop, kill, restart and restore to an older
 * state. It is a process of the embedded binaries: tests that need it are tagged {@code embedded}.
 */
public final class PostgresProcess implements AutoCloseable {

    private final Path directory;
    private final int port = Ports.free();
    private final List<String> settings;
    private final AtomicInteger databases = new AtomicInteger();
    private EmbeddedPostgres server;

    private PostgresProcess(List<String> settings) {
        this.settings = settings;
        try {
            this.directory = Files.createTempDirectory("ovation-postgres").resolve("data");
            Files.createDirectory(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Starts an empty server; settings as {@code name=value}. */
    public static PostgresProcess start(String... settings) {
        var postgres = new PostgresProcess(List.of(settings));
        postgres.restart();
        return postgres;
    }

    /**
     * Starts a standby that follows this server, settings as {@code name=value}. This one must keep
     * WAL for the time that the standby is stopped ({@code wal_keep_size}).
     */
    public PostgresProcess startStandby(String... settings) {
        var standby = new PostgresProcess(List.of(settings));
        try (var connection = DriverManager.getConnection(url(), "postgres", "postgres")) {
            BaseBackup.standby(connection, directory, standby.directory, conninfo());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        standby.restart();
        return standby;
    }

    /** Its address for a standby. */
    public String conninfo() {
        return "host=127.0.0.1 user=postgres application_name=standby port=" + port;
    }

    /** JDBC address of the database of the same name as in another server's address. */
    public String urlOf(String other) {
        return url(other.replaceFirst(".*/", "").replaceFirst("\\?.*", ""));
    }

    /** Restarts it on the same port and data, and waits until it accepts connections. */
    public void restart() {
        var builder =
                EmbeddedPostgres.builder()
                        .setPort(port)
                        .setDataDirectory(directory)
                        .setCleanDataDirectory(false)
                        .setPGStartupWait(PostgresServer.STARTUP)
                        // The default of tests allows Postgres to lose its last commits when it is
                        // killed.
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("max_connections", "200");
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            builder.setServerConfig(parts[0], parts[1]);
        }
        try {
            server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** JDBC address of its database (user postgres). */
    public String url() {
        return url("postgres");
    }

    /** Creates an empty database and returns its JDBC address. */
    public String newDatabase() {
        String name = "test" + databases.incrementAndGet();
        try (var connection = DriverManager.getConnection(url(), "postgres", "postgres");
                var statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url(name);
    }

    private String url(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database;
    }

    public int port() {
        return port;
    }

    /** Makes it start as a read-only standby; it must be stopped. */
    public void demote() {
        try {
            Files.createFile(directory.resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGSTOP to all its processes: connections stay, and no request is answered. */
    public void pause() {
        Signal.send("STOP", pids().getFirst()); // before it forks new ones
        Signal.send("STOP", pids());
    }

    /** Sends SIGCONT. */
    public void resume() {
        Signal.send("CONT", pids());
    }

    /** Sends SIGKILL to all its processes; returns when they have ended. */
    public void kill() {
        // The postmaster is stopped first, so that it forks no process. A process that survives
        // would keep its shared memory, which prevents a restart.
        pids().stream().limit(1).forEach(postmaster -> Signal.send("STOP", postmaster));
        List<ProcessHandle> family = family();
        family.forEach(ProcessHandle::destroyForcibly);
        Wait.until("Postgres has ended", () -> family.stream().noneMatch(PostgresProcess::runs));
        stop(); // its starter releases the folder
    }

    /** Stops it in order, and breaks its connections; returns when its processes have ended. */
    public void stop() {
        List<ProcessHandle> family = family();
        try {
            server.close(); // gives up after five seconds, which a busy disk may take
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Wait.until("Postgres has stopped", () -> family.stream().noneMatch(PostgresProcess::runs));
    }

    /** Returns a copy of its data; it must be stopped. */
    public Path copy() {
        return Folders.copy(directory);
    }

    /** Replaces its data by a copy; it must be stopped. */
    public void replace(Path copy) {
        Folders.replace(directory, copy);
        directory.toFile().setReadable(false, false);
        directory.toFile().setReadable(true, true);
        directory.toFile().setExecutable(false, false);
        directory.toFile().setExecutable(true, true);
        directory.toFile().setWritable(true, true);
    }

    /** Process ids, the postmaster's first. */
    public List<Long> pids() {
        return family().stream().map(ProcessHandle::pid).toList();
    }

    private List<ProcessHandle> family() {
        Path file = directory.resolve("postmaster.pid");
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
            var family = new ArrayList<ProcessHandle>();
            ProcessHandle.of(pid)
                    .filter(PostgresProcess::runs)
                    .ifPresent(
                            postmaster -> {
                                family.add(postmaster);
                                postmaster.descendants().forEach(family::add);
                            });
            return family;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process that has ended but is not reaped counts as alive, but has no command. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    /** Ends the server and deletes its data. */
    @Override
    public void close() {
        resume();
        kill();
        FileSystemUtils.deleteRecursively(directory.getParent().toFile());
    }
}
