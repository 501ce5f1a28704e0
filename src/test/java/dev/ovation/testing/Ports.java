package dev.ovation.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that are killed and restarted. They are below the ephemeral ports of the
 * system, so that no other program gets one meanwhile. The same is true of the port 10,000 above,
 * on which a Redis of a cluster talks to its peers. Each JVM begins at another port.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    private static final int COUNT = 10_000;
    private static final int TO_CLUSTER_BUS = 10_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 1009 % COUNT));

    private Ports() {}

    /** Returns a free port that this JVM has not used before; port + 10,000 is free too. */
    public static int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            try (var _ = new ServerSocket(port);
                    var _ = new ServerSocket(port + TO_CLUSTER_BUS)) {
                return port;
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no port is free");
    }
}
