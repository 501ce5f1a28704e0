package dev.ovation.testing;

import dev.ovation.testing.Instance.Answer;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The service in a JVM of its own, which a test may pause and kill. */
public final class ServiceProcess implements AutoCloseable {

    private final List<String> arguments;
    private ChildJvm process;
    private int port;

    private ServiceProcess(Stream<String> settings) {
        arguments =
                Stream.concat(Stream.of("server.port=0"), settings)
                        .map(RedisUser::setting)
                        .map(setting -> "--" + setting)
                        .toList();
    }

    /** Starts one, with settings as {@code name=value}, and waits until it takes writes. */
    public static ServiceProcess start(String... settings) {
        var service = new ServiceProcess(Arrays.stream(settings));
        service.start();
        return service;
    }

    /** Starts it by the same command as before. */
    public void start() {
        process = ChildJvm.startQuickly(FaultyOvation.class, arguments).serving();
        port = process.port().orElseThrow();
    }

    /** What it has written since its last start. */
    public String output() {
        return process.output();
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
        process.kill();
    }

    /** SIGTERM; returns when it is gone. */
    public void terminate() {
        process.close();
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
