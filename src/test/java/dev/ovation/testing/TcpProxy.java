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
 * Stands on a link between two parts, so that a test can cut it, slow it down, let it swallow what
 * is sent, or lose a request or its reply.
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
     * What is lost next: the request that contains a text, or only the reply to it; on the
     * connection that has this port at the server, or on any if it is 0.
     */
    private record Loss(String text, int port, boolean requestArrives) {}

    /** Stands before the server of an address as {@code jdbc:postgresql://…} or a URI. */
    public static TcpProxy before(String address) {
        URI uri = URI.create(address.replaceFirst("^jdbc:", ""));
        return before(uri.getHost(), uri.getPort());
    }

    /** Stands before a server. */
    public static TcpProxy before(String host, int port) {
        try {
            return new TcpProxy(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An address by way of this proxy. */
    public String through(String address) {
        return address.replaceFirst("//[^/]*", "//127.0.0.1:" + port());
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Breaks all connections, and the next ones at once. */
    public void cut() {
        cut = true;
        sockets.forEach(TcpProxy::close);
    }

    /** Leads to another server from now on; all connections break. */
    public void leadTo(String host, int port) {
        target = new InetSocketAddress(host, port);
        sockets.forEach(TcpProxy::close);
    }

    /** Connections stay and are accepted, and nothing arrives any more, in neither direction. */
    public void blackHole() {
        silent = true;
    }

    /** As when a host is replaced behind its address: what is connected hangs for ever. */
    public void strand() {
        stranded.addAll(sockets);
    }

    /** Whatever is sent arrives so much later. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    /** Breaks the connection over which a request with this text comes next; it never arrives. */
    public void loseRequest(String text) {
        loss.set(new Loss(text, 0, false));
    }

    /** Lets the next request with this text arrive, and breaks its connection before the reply. */
    public void loseReply(String text) {
        loss.set(new Loss(text, 0, true));
    }

    /**
     * Breaks one connection when its next request comes.
     *
     * @param port of this end of it, as the server sees it
     * @param requestArrives whether only the reply is lost
     */
    public void loseNext(int port, boolean requestArrives) {
        loss.set(new Loss("", port, requestArrives));
    }

    /** Whether what was to be lost is lost by now. */
    public boolean hasLost() {
        return loss.get() == null;
    }

    /** Ends all of that; what a black hole holds back arrives now. */
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
                    // Nothing goes back any more; what is on its way to the server arrives.
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
            // one end is gone, so both go
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
