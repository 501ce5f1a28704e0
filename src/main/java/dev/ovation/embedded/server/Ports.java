package dev.ovation.embedded.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Chooses the port on which an embedded server listens. */
final class Ports {

    private Ports() {}

    /**
     * Returns {@code wanted}, or any free port for 0.
     *
     * @throws EmbeddedException naming {@code setting} when the wanted port is busy
     */
    static int choose(int wanted, String setting) {
        try (var socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedException(
                    "Port %d is in use: free it, or set another one with %s (0: any free one)."
                            .formatted(wanted, setting),
                    e);
        }
    }
}
