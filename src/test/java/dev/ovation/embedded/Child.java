package dev.ovation.embedded;

import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A {@link ChildApplication} in a JVM of its own. */
final class Child implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(5);

    private final Path folder;
    private final ChildJvm jvm;

    private Child(Path folder) throws IOException {
        this.folder = folder;
        Files.deleteIfExists(folder.resolve("drained"));
        this.jvm =
                ChildJvm.startQuickly(
                        ChildApplication.class,
                        List.of(
                                "--ovation.embedded.directory=" + folder,
                                // The first connection is made at the stop, on a busy machine late.
                                "--spring.datasource.hikari.connection-timeout=30000"));
    }

    /** Starts a child without waiting for it. */
    static Child launch(Path folder) throws IOException {
        return new Child(folder);
    }

    /** Starts a child and waits until both servers serve. */
    static Child start(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("ready"));
        Child child = launch(folder);
        try {
            Wait.until(
                    "the child is ready or dead",
                    BOUND,
                    () -> child.isReady() || !child.jvm.isAlive());
        } catch (AssertionError e) {
            child.kill();
            throw e;
        }
        if (!child.jvm.isAlive()) {
            throw new AssertionError(child.output());
        }
        return child;
    }

    private boolean isReady() {
        return Files.exists(folder.resolve("ready"));
    }

    ProcessHandle handle() {
        return ProcessHandle.of(jvm.pid()).orElseThrow();
    }

    ProcessHandle postgres() throws IOException {
        return noted("postgres/data/postmaster.pid");
    }

    ProcessHandle redis() throws IOException {
        return noted("redis/redis.pid");
    }

    private ProcessHandle noted(String file) throws IOException {
        long pid = Long.parseLong(Files.readAllLines(folder.resolve(file)).getFirst());
        return ProcessHandle.of(pid).orElseThrow();
    }

    /** Runs statements in the embedded Postgres; returns the last one's first column, if any. */
    String sql(String... statements) throws IOException, SQLException {
        try (var connection = DriverManager.getConnection(url(), "postgres", password("postgres"));
                var statement = connection.createStatement()) {
            String result = "";
            for (String sql : statements) {
                if (statement.execute(sql)) {
                    var rows = statement.getResultSet();
                    rows.next();
                    result = rows.getString(1);
                }
            }
            return result;
        }
    }

    /** Sets a key in the embedded Redis and returns the number of keys. */
    long setAndCountKeys(String key) throws IOException {
        try (var client = RedisClient.create(redisUri());
                var connection = client.connect()) {
            connection.sync().set(key, "");
            return connection.sync().dbsize();
        }
    }

    /** The address of its Postgres. */
    String url() throws IOException {
        return address(0);
    }

    /** The address of its Redis, with the password. */
    String redisUri() throws IOException {
        return "redis://:" + password("redis") + "@127.0.0.1:" + address(1);
    }

    /** The password of one of its servers, from the folder. */
    String password(String server) throws IOException {
        return Files.readString(folder.resolve(server).resolve("password")).strip();
    }

    private String address(int line) throws IOException {
        return Files.readAllLines(folder.resolve("ready")).get(line);
    }

    String output() {
        return jvm.output();
    }

    boolean drained() {
        return Files.exists(folder.resolve("drained"));
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** Waits until the JVM ends by itself and returns its exit code. */
    int exitCode() {
        return jvm.exitCode();
    }

    /** Sends SIGTERM; returns when the JVM has ended. */
    void terminate() {
        jvm.close();
    }

    /** Sends SIGKILL to the JVM only, which leaves its servers running. */
    void kill() {
        jvm.kill();
    }

    @Override
    public void close() {
        terminate();
    }

    /** Whether a process runs; an ended one that is not reaped does not. */
    static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
