package dev.ovation.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A persistent HTTP/1.1 connection to this machine, for answers that state their length. */
final class KeptConnection implements AutoCloseable {

    private static final int PATIENCE_MS = 120_000;

    private final Socket socket;
    private final InputStream input;

    KeptConnection(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        input = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Sends a request and reads its answer to the end.
     *
     * @return the status
     * @throws IOException if the connection breaks, no byte arrives for thirty seconds, or the
     *     answer is malformed
     */
    int exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        try {
            return answer();
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException("a malformed answer", e);
        }
    }

    private int answer() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = -1;
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (line.substring(0, colon).equalsIgnoreCase("content-length")) {
                length = Integer.parseInt(line.substring(colon + 1).strip());
            }
        }
        if (length < 0) {
            throw new IOException("an answer without its length");
        }
        input.skipNBytes(length);
        return status;
    }

    private String line() throws IOException {
        var line = new StringBuilder(64);
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new IOException("closed by the server");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Sends one request over a connection of its own. */
    static int get(int port, String path) throws IOException {
        var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (var connection = new KeptConnection(port)) {
            return connection.exchange(request.getBytes(StandardCharsets.UTF_8));
        }
    }
}
