package dev.ovation.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports for servers that are killed and restarted. They are below the ephemeral ports of the
 * system, so that no other program gets one meanwhile. The same is true of the port 10,000 above,
 * on which a Redis of a cluster talks to its peers. A JVM takes ports from blocks that no other JVM
 * with these tests has: it listens on the first port of each of its blocks until it ends.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    private static final int COUNT = 10_000;
    private static final int BLOCK = 500;
    private static final int TO_CLUSTER_BUS = 10_000;

    /** Listen on the first ports of the blocks of this JVM; the last block is the current one. */
    private static final List<ServerSocket> CLAIMS = new ArrayList<>();

    private static int next;

    private Ports() {}

    /** Returns a free port that this JVM has not used before; port + 10,000 is free too. */
    public static synchronized int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            if (next % BLOCK == 0) {
                claimBlock();
            }
            int port = next++;
            try (var _ = new ServerSocket(port);
                    var _ = new ServerSocket(port + TO_CLUSTER_BUS)) {
                return port;
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no port is free");
    }

    /**
     * Claims the first free block after the current one. Each JVM begins at another block: clients
     * that a killed JVM left behind might reach the servers of the next run.
     */
    private static void claimBlock() {
        int from =
                CLAIMS.isEmpty()
                        ? (int) (ProcessHandle.current().pid() * BLOCK % COUNT)
                        : CLAIMS.getLast().getLocalPort() - FIRST + BLOCK;
        for (int offset = 0; offset < COUNT; offset += BLOCK) {
            int port = FIRST + (from + offset) % COUNT;
            try {
                CLAIMS.add(new ServerSocket(port));
                next = port + 1;
                return;
            } catch (IOException e) {
                // of another JVM, or of this one
            }
        }
        throw new IllegalStateException("no block of ports is free");
    }
}
