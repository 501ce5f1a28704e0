package dev.ovation.testing;

import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** HTTP servers of tests, on a free port of this machine, with a thread for each request. */
public final class LoopbackServer {

    private LoopbackServer() {}

    /** Creates a server without contexts, which the caller starts and stops. */
    public static HttpServer create() {
        try {
            var server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
