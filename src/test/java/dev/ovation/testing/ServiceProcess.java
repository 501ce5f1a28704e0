package dev.ovation.testing;

import dev.ovation.testing.Instance.Answer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/** The service in a JVM of its own, which a test may pause and kill. */
public final class ServiceProcess implements AutoCloseable {

    private final List<String> arguments;
    private ChildJvm process;
    private int port;

    private ServiceProcess(Stream<String> settings) {
        var all = new LinkedHashMap<String, String>();
        Stream.concat(
                        Stream.of(
                                "server.port=0",
                                "ovation.internal.check-timeouts=false",
                                "ovation.partitions=64"),
                        settings)
                .forEach(setting -> all.put(setting.split("=", 2)[0], setting));
        arguments =
                all.values().stream()
                        .flatMap(RedisUser::settings)
                        .map(setting -> "--" + setting)
                        .toList();
    }

    /**
     * Starts an instance, with settings as {@code name=value}, and waits until it accepts writes.
     */
    public static ServiceProcess start(String... settings) {
        var service = new ServiceProcess(Arrays.stream(settings));
        service.start();
        return service;
    }

    /** Restarts it with the same command. */
    public void start() {
        process = ChildJvm.startQuickly(FaultyOvation.class, arguments).serving();
        port = process.port().orElseThrow();
    }

    /** Output since the last start. */
    public String output() {
        return process.output();
    }

    public Answer add(String namespace, String entity, String user, String reaction) {
        return send("POST", "/reactions", Instance.body(namespace, entity, user, reaction));
    }

    /** Sends a request; {@code headers} alternate names and values. */
    public Answer send(String method, String path, String body, String... headers) {
        return Instance.sendTo(port, method, path, body, headers);
    }

    /** Sends SIGSTOP: the process hangs, and keeps its connections and locks. */
    public void pause() {
        Signal.send("STOP", process.pid());
    }

    /** Sends SIGCONT. */
    public void resume() {
        Signal.send("CONT", process.pid());
    }

    /** Sends SIGKILL; returns when the process has ended. */
    public void kill() {
        process.kill();
    }

    /** Sends SIGTERM; returns when the process has ended. */
    public void terminate() {
        process.close();
    }

    /** Whether it runs; a process that a failpoint halts ends by itself. */
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
