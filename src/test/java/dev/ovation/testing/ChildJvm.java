package dev.ovation.testing;

import dev.ovation.testing.report.Recent;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program of this class path in a JVM of its own, which ends no later than this one. */
public final class ChildJvm implements AutoCloseable {

    /** A first start that makes a Postgres took 4 minutes on a busy disk. */
    private static final Duration BOUND = Duration.ofMinutes(10);

    private static final Pattern LISTENS = Pattern.compile("Tomcat started on port (\\d+)");

    private final Path output;
    private final Process process;

    private ChildJvm(Path output, List<String> command) throws IOException {
        this.output = output;
        Recent.addFile(output);
        this.process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    }

    /**
     * Starts a program and returns at once.
     *
     * @param main its main class
     * @param flags of the JVM
     * @param arguments of the program
     */
    public static ChildJvm start(Class<?> main, List<String> flags, List<String> arguments) {
        var options = new ArrayList<>(flags);
        options.addAll(List.of("-cp", classPath()));
        return launch(options, main, arguments);
    }

    /**
     * Returns the class path of this JVM. Surefire ends it with a separator, which would add the
     * working directory and its migrations.
     */
    public static String classPath() {
        return System.getProperty("java.class.path").replaceAll(File.pathSeparator + "+$", "");
    }

    /** Starts a program in a small JVM that starts quickly. */
    public static ChildJvm startQuickly(Class<?> main, List<String> arguments) {
        return startQuickly(main, List.of(), arguments);
    }

    /** Starts a program in a small JVM that starts quickly, with more flags of the JVM. */
    public static ChildJvm startQuickly(Class<?> main, List<String> flags, List<String> arguments) {
        var options = new ArrayList<>(ClassCache.options());
        options.addAll(flags);
        return launch(options, main, arguments);
    }

    /** Starts a program in a jar, with flags of the JVM and arguments of the program. */
    public static ChildJvm ofJar(Path jar, List<String> flags, List<String> arguments) {
        return launch(flags, List.of("-jar", jar.toString()), arguments);
    }

    /** Starts a program with these options of the JVM, including its class path. */
    static ChildJvm launch(List<String> options, Class<?> main, List<String> arguments) {
        return launch(options, List.of(main.getName()), arguments);
    }

    private static ChildJvm launch(
            List<String> options, List<String> program, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(options);
        command.addAll(program);
        command.addAll(arguments);
        try {
            return new ChildJvm(Files.createTempFile("ovation-child", ".log"), command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Output of the program so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Port of the program's Tomcat; empty before it listens. */
    public OptionalInt port() {
        var listens = LISTENS.matcher(output());
        return listens.find()
                ? OptionalInt.of(Integer.parseInt(listens.group(1)))
                : OptionalInt.empty();
    }

    /**
     * Whether the service in it answers, is attached to Redis and relays, according to its health.
     * On a busy machine the service may lose its readiness before it logs that it is ready.
     */
    public boolean serves() {
        var port = port();
        if (port.isEmpty()
                || Instance.sendTo(port.getAsInt(), "GET", "/ping", null).status() != 200) {
            return false;
        }
        var health = Instance.sendTo(port.getAsInt(), "GET", "/actuator/health", null);
        if (health.status() == 404) {
            return true;
        }
        var parts = health.json().at("/components");
        return parts.at("/redis/status").asString("UP").equals("UP")
                && parts.at("/relay/status").asString("UP").equals("UP");
    }

    /** Waits until its service answers; fails with its output if it ends before. */
    public ChildJvm serving() {
        try {
            Wait.until("the service answers, or has ended", BOUND, () -> !isAlive() || serves());
        } catch (AssertionError e) {
            process.destroyForcibly(); // its relay would affect later tests
            throw new AssertionError(output(), e);
        }
        if (!isAlive()) {
            throw new AssertionError(output());
        }
        return this;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Sends SIGKILL; returns when the process has ended. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Waits for the end of the program and returns its exit code. */
    public int exitCode() {
        process.onExit().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
        return process.exitValue();
    }

    /** Sends SIGTERM; returns when the process has ended. */
    @Override
    public void close() {
        process.destroy();
        exitCode();
    }
}
