package dev.ovation.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that are killed and started again: below those that a system gives to whoever
 * asks for any, so that meanwhile nobody else gets one; each JVM begins elsewhere.
 */
final class Ports {

    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 1009 % COUNT));

    private Ports() {}

    /** A port that is free, and that this JVM has not had before. */
    static int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            try (var _ = new ServerSocket(port)) {
                return port;
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no port is free");
    }
}
