package dev.ovation.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One connection with one request of exact bytes, and the bytes of its answer. */
public final class RawHttp {

    private RawHttp() {}

    /** The answer; header lines in the order of the wire, without the status line. */
    public record Reply(int status, List<String> header, String body) {

        /** The header's value, or null. */
        public String header(String name) {
            String start = name.toLowerCase() + ":";
            return header.stream()
                    .filter(line -> line.toLowerCase().startsWith(start))
                    .map(line -> line.substring(start.length()).strip())
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Sends a request without a body and without further header lines. */
    public static Reply get(int port, String target) {
        return send(port, head("GET", target), "");
    }

    /** A request's head with {@code Connection: close}, to which header lines are appended. */
    public static String head(String method, String target, String... lines) {
        String head =
                method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        return head + String.join("", Arrays.stream(lines).map(line -> line + "\r\n").toList());
    }

    /** Appends an empty line and the body to the head, sends it in UTF-8, reads to the end. */
    public static Reply send(int port, String head, String body) {
        return exchange(port, (head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
    }

    /** Sends exactly these bytes and reads until the server closes. */
    public static Reply exchange(int port, byte[] request) {
        return exchange(port, request, () -> {}, new byte[0]);
    }

    /** Sends bytes, runs an action, and sends further bytes. */
    public static Reply exchange(int port, byte[] first, Runnable meanwhile, byte[] then) {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(first);
            socket.getOutputStream().flush();
            meanwhile.run();
            socket.getOutputStream().write(then);
            socket.getOutputStream().flush();
            return reply(socket.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Reply reply(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("no answer: " + text);
        }
        List<String> lines = List.of(text.substring(0, end).split("\r\n"));
        int status = Integer.parseInt(lines.getFirst().split(" ")[1]);
        var reply = new Reply(status, lines.subList(1, lines.size()), "");
        byte[] rest = Arrays.copyOfRange(bytes, end + 4, bytes.length);
        boolean chunked = "chunked".equalsIgnoreCase(reply.header("Transfer-Encoding"));
        String body = new String(chunked ? dechunk(rest) : rest, StandardCharsets.UTF_8);
        return new Reply(status, reply.header(), body);
    }

    private static byte[] dechunk(byte[] chunks) {
        var body = new ByteArrayOutputStream();
        String text = new String(chunks, StandardCharsets.ISO_8859_1);
        for (int at = 0; at < chunks.length; ) {
            int line = text.indexOf("\r\n", at);
            int size = Integer.parseInt(text.substring(at, line), 16);
            body.write(chunks, line + 2, size);
            at = line + 2 + size + 2;
        }
        return body.toByteArray();
    }
}
