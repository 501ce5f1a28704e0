package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy on a link between two parts. A test can cut the link, delay it, drop its data, or lose a
 * request or a reply.
 */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> stranded = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Loss> loss = new AtomicReference<>();
    private volatile InetSocketAddress target;
    private volatile boolean cut;
    private volatile boolean silent;
    private volatile long delayMillis;

    private TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /**
     * The next loss: the request that contains a text, or only its reply. It is on the connection
     * with this port at the server, or on any connection for port 0.
     */
    private record Loss(String text, int port, boolean requestArrives) {}

    /**
     * Creates a proxy for the server of an address such as {@code jdbc:postgresql://…} or a URI.
     */
    public static TcpProxy before(String address) {
        URI uri = URI.create(address.replaceFirst("^jdbc:", ""));
        return before(uri.getHost(), uri.getPort());
    }

    /** Creates a proxy for a server. */
    public static TcpProxy before(String host, int port) {
        try {
            return new TcpProxy(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the server in an address by this proxy. */
    public String through(String address) {
        return address.replaceFirst("//[^/]*", "//127.0.0.1:" + port());
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Breaks all connections, and each new one at once. */
    public void cut() {
        cut = true;
        sockets.forEach(TcpProxy::close);
    }

    /** Forwards to another server from now on; all connections break. */
    public void leadTo(String host, int port) {
        target = new InetSocketAddress(host, port);
        sockets.forEach(TcpProxy::close);
    }

    /** Keeps and accepts connections, but forwards no data in either direction. */
    public void blackHole() {
        silent = true;
    }

    /**
     * Makes all current connections hang for ever, as after a replacement of the host behind its
     * address.
     */
    public void strand() {
        stranded.addAll(sockets);
    }

    /** Delays all data by this time. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    /** Breaks the connection of the next request with this text; the request never arrives. */
    public void loseRequest(String text) {
        loss.set(new Loss(text, 0, false));
    }

    /** Forwards the next request with this text, and breaks its connection before the reply. */
    public void loseReply(String text) {
        loss.set(new Loss(text, 0, true));
    }

    /**
     * Breaks one connection at its next request.
     *
     * @param port of this end of it, as the server sees it
     * @param requestArrives whether only the reply is lost
     */
    public void loseNext(int port, boolean requestArrives) {
        loss.set(new Loss("", port, requestArrives));
    }

    /** Whether the requested loss has occurred. */
    public boolean hasLost() {
        return loss.get() == null;
    }

    /** Ends all faults; data that a black hole held back arrives now. */
    public void mend() {
        cut = false;
        silent = false;
        delayMillis = 0;
        loss.set(null);
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
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
        } catch (IOException e) {
            close(near);
            throw e;
        }
        Thread.ofVirtual().start(() -> copy(near, far, true));
        Thread.ofVirtual().start(() -> copy(far, near, false));
        if (cut) {
            close(near);
            close(far);
        }
    }

    private void copy(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[1 << 16];
        try {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                holdBack(from);
                Loss lost =
                        requests
                                ? lossOf(
                                        new String(buffer, 0, n, StandardCharsets.UTF_8),
                                        to.getLocalPort())
                                : null;
                if (lost != null) {
                    // No reply is forwarded any more; data on its way to the server arrives.
                    close(from);
                }
                if (lost == null || lost.requestArrives()) {
                    to.getOutputStream().write(buffer, 0, n);
                }
                if (lost != null) {
                    break;
                }
            }
        } catch (IOException e) {
            // one end has closed, so both are closed
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            stranded.remove(from);
            sockets.remove(to);
        }
    }

    private Loss lossOf(String request, int port) {
        var next = loss.get();
        boolean hit =
                next != null
                        && request.contains(next.text())
                        && (next.port() == 0 || next.port() == port)
                        && loss.compareAndSet(next, null);
        return hit ? next : null;
    }

    private void holdBack(Socket from) {
        if (delayMillis > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
        }
        while ((silent || stranded.contains(from)) && !from.isClosed()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
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
