package dev.ovation.webhook.send;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends one POST request on a connection of its own, and reads the status of the answer. It follows
 * no redirect and reads no body. It connects to the address that was checked: a client of the JDK
 * resolves the host itself, which another answer of DNS could lead elsewhere.
 */
public final class WebhookSender {

    private static final int MAX_HEAD = 16 * 1024;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
    private static final int OK = 200;
    private static final int REDIRECTIONS = 300;

    private final boolean allowPrivate;
    private final Duration timeout;
    private final SSLSocketFactory tls;

    /**
     * Creates a sender.
     *
     * @param timeout time that a request may take after its host is resolved
     */
    public WebhookSender(boolean allowPrivate, Duration timeout, SSLSocketFactory tls) {
        this.allowPrivate = allowPrivate;
        this.timeout = timeout;
        this.tls = tls;
    }

    /**
     * Sends a request.
     *
     * @throws IOException unless the answer is a 2xx; the message names no id
     */
    public void post(String url, Map<String, String> headers, byte[] body) throws IOException {
        WebhookUrl to;
        try {
            to = WebhookUrl.of(url, allowPrivate);
        } catch (IllegalArgumentException e) {
            throw new IOException("the url " + e.getMessage(), e);
        }
        InetAddress address = to.resolve(allowPrivate);
        int status = status(to, address, head(to, headers, body.length), body);
        if (status < OK || status >= REDIRECTIONS) {
            throw new IOException("the receiver answered " + status);
        }
    }

    private static byte[] head(WebhookUrl to, Map<String, String> headers, int length) {
        var head = new StringBuilder("POST " + to.path() + " HTTP/1.1\r\n");
        head.append("Host: ").append(to.authority()).append("\r\n");
        head.append("User-Agent: Ovation\r\nConnection: close\r\n");
        head.append("Content-Length: ").append(length).append("\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private int status(WebhookUrl to, InetAddress address, byte[] head, byte[] body)
            throws IOException {
        try (var plain = new Socket()) {
            Thread watch = Thread.ofVirtual().name("webhook-deadline").start(() -> expire(plain));
            try {
                plain.connect(
                        new InetSocketAddress(address, to.port()),
                        Math.toIntExact(timeout.toMillis()));
                try (Socket socket = to.isSecure() ? secure(plain, to) : plain) {
                    var out = socket.getOutputStream();
                    out.write(head);
                    out.write(body);
                    out.flush();
                    return status(socket.getInputStream());
                }
            } finally {
                watch.interrupt();
            }
        }
    }

    /** Closes the socket after the time-out, so that its reads and writes fail. */
    private void expire(Socket socket) {
        try {
            Thread.sleep(timeout);
            socket.close();
        } catch (InterruptedException | IOException e) {
            return; // it is closed already
        }
    }

    private Socket secure(Socket plain, WebhookUrl to) throws IOException {
        var socket = (SSLSocket) tls.createSocket(plain, to.host(), to.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Reads the status of the first answer that is not a 1xx. */
    private static int status(InputStream in) throws IOException {
        int left = MAX_HEAD;
        while (true) {
            int status = 0;
            String line;
            do {
                line = line(in, left);
                left -= line.length() + 2;
                if (status == 0) {
                    Matcher first = STATUS.matcher(line);
                    if (!first.matches()) {
                        throw new IOException("the receiver does not speak HTTP/1.1");
                    }
                    status = Integer.parseInt(first.group(1));
                }
            } while (status < OK && !line.isEmpty());
            if (status >= OK) {
                return status;
            }
        }
    }

    private static String line(InputStream in, int limit) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the receiver closed the connection without an answer");
            }
            if (line.size() >= limit) {
                throw new IOException("the receiver sent too long a head");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
