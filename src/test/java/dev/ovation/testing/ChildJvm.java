package dev.ovation.testing;

import dev.ovation.testing.report.Recent;

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

/** A program of this class path in a JVM of its own, which ends with this one at the latest. */
public final class ChildJvm implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(5);
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
     * Starts a program without waiting for anything.
     *
     * @param main its main class
     * @param flags of the JVM
     * @param arguments of the program
     */
    public static ChildJvm start(Class<?> main, List<String> flags, List<String> arguments) {
        var options = new ArrayList<>(flags);
        options.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return launch(options, main, arguments);
    }

    /** The same in a small JVM that starts quickly. */
    public static ChildJvm startQuickly(Class<?> main, List<String> arguments) {
        return launch(ClassCache.options(), main, arguments);
    }

    /** The same with these options of the JVM, its class path among them. */
    static ChildJvm launch(List<String> options, Class<?> main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        try {
            return new ChildJvm(Files.createTempFile("ovation-child", ".log"), command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it has written. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port on which its Tomcat listens, once it does. */
    public OptionalInt port() {
        var listens = LISTENS.matcher(output());
        return listens.find()
                ? OptionalInt.of(Integer.parseInt(listens.group(1)))
                : OptionalInt.empty();
    }

    /**
     * Whether the service within answers, has attached to Redis and relays, as far as its health
     * knows of these: on a busy machine it may give up before it says that it is ready.
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

    /** Waits until its service serves; fails with what it has written if it ends before. */
    public ChildJvm serving() {
        try {
            Wait.until("serving or dead", BOUND, () -> !isAlive() || serves());
        } catch (AssertionError e) {
            process.destroyForcibly(); // else it relays for the tests that follow
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

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Waits for its own end and returns its exit code. */
    public int exitCode() {
        process.onExit().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
        return process.exitValue();
    }

    /** SIGTERM; returns when it is gone. */
    @Override
    public void close() {
        process.destroy();
        exitCode();
    }
}
