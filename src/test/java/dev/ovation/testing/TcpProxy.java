package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between a service and its server, so that a test can cut the line and mend it. */
public final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    private TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Stands before the server of a JDBC address. */
    public static TcpProxy before(String jdbcUrl) {
        URI uri = URI.create(jdbcUrl.substring("jdbc:".length()));
        try {
            return new TcpProxy(new InetSocketAddress(uri.getHost(), uri.getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The JDBC address by way of this proxy. */
    public String through(String jdbcUrl) {
        return jdbcUrl.replaceFirst("//[^/]*/", "//127.0.0.1:" + server.getLocalPort() + "/");
    }

    /** Breaks all connections, and the next ones at once. */
    public void cut() {
        cut = true;
        sockets.forEach(TcpProxy::close);
    }

    public void mend() {
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                if (cut) {
                    close(near);
                } else {
                    connect(near);
                }
            } catch (IOException e) {
                continue; // the proxy closes, or the server cannot be reached
            }
        }
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket();
        sockets.add(near);
        sockets.add(far);
        try {
            far.connect(target);
        } catch (IOException e) {
            close(near);
            throw e;
        }
        Thread.ofVirtual().start(() -> copy(near, far));
        Thread.ofVirtual().start(() -> copy(far, near));
        if (cut) {
            close(near);
            close(far);
        }
    }

    private void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one end is gone, so both go
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
