package dev.ovation.testing;

import dev.ovation.testing.Instance.Answer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service in a JVM of its own, which a test may pause and kill. */
public final class ServiceProcess implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(5);
    private static final Pattern LISTENS = Pattern.compile("Tomcat started on port (\\d+)");

    private final List<String> command;
    private final Path output;
    private Process process;
    private int port;

    private ServiceProcess(List<String> settings) {
        command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FaultyOvation.class.getName(),
                                "--server.port=0"));
        settings.forEach(setting -> command.add("--" + setting));
        try {
            output = Files.createTempFile("ovation-service", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::destroy));
    }

    /** Starts one, with settings as {@code name=value}, and waits until it takes writes. */
    public static ServiceProcess start(String... settings) {
        var service = new ServiceProcess(Arrays.asList(settings));
        service.start();
        return service;
    }

    /** Starts it by the same command as before. */
    public void start() {
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Wait.until("ready or dead", BOUND, () -> !process.isAlive() || isReady());
        if (!process.isAlive()) {
            throw new AssertionError(output());
        }
    }

    /** By its health: on a busy machine it may give up before it says that it is ready. */
    private boolean isReady() {
        Matcher listens = LISTENS.matcher(output());
        if (!listens.find()) {
            return false;
        }
        port = Integer.parseInt(listens.group(1));
        var parts = send("GET", "/actuator/health", null).json().at("/components");
        return parts.at("/redis/status").asString("").equals("UP")
                && parts.at("/relay/status").asString("").equals("UP");
    }

    /** What it has written since its last start. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Answer add(String namespace, String entity, String user, String reaction) {
        return send("POST", "/reactions", Instance.body(namespace, entity, user, reaction));
    }

    /** Sends any request; {@code headers} alternate names and values. */
    public Answer send(String method, String path, String body, String... headers) {
        return Instance.sendTo(port, method, path, body, headers);
    }

    /** SIGSTOP: it stands still from now on, connections and locks included. */
    public void pause() {
        Signal.send("STOP", process.pid());
    }

    /** SIGCONT. */
    public void resume() {
        Signal.send("CONT", process.pid());
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM; returns when it is gone. */
    public void terminate() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        process.onExit().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
    }

    private void destroy() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Whether it runs; one that a failpoint halts ends by itself. */
    public boolean isAlive() {
        return process.isAlive();
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            resume();
            terminate();
        }
    }
}
