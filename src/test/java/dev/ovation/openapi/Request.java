package dev.ovation.openapi;

import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Instance.Exchange;
import dev.ovation.web.Http2Client;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request in its wire format.
 *
 * @param query raw pairs, each {@code name=value}
 * @param body null for none
 */
record Request(
        Operation operation,
        String method,
        String path,
        List<String> query,
        Map<String, String> headers,
        byte[] body) {

    static Request of(Operation operation) {
        String path =
                operation
                        .path()
                        .replace("/swagger-ui/{file}", "/swagger-ui/index.html")
                        .replace("/console/{file}", "/console/app.js");
        return new Request(operation, operation.method(), path, List.of(), Map.of(), null);
    }

    Request at(String method, String path) {
        return new Request(operation, method, path, query, headers, body);
    }

    Request asking(List<String> query) {
        return new Request(operation, method, path, query, headers, body);
    }

    Request withParameter(String name, String value) {
        var more = new ArrayList<>(query);
        more.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        return asking(more);
    }

    Request withHeader(String name, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Request(operation, method, path, query, more, body);
    }

    Request with(byte[] body) {
        return new Request(operation, method, path, query, headers, body);
    }

    Request with(String body) {
        return with(body.getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }

    /** Sends the request and returns the exchange. */
    Exchange sendTo(int port) {
        var lines = new ArrayList<String>();
        headers.forEach((name, value) -> lines.add(name + ": " + value));
        if (body != null) {
            lines.add("Content-Length: " + body.length);
        }
        String head = RawHttp.head(method, target(), lines.toArray(String[]::new)) + "\r\n";
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(body == null ? new byte[0] : body);
        Reply reply = RawHttp.exchange(port, bytes.toByteArray());
        Map<String, String> answered =
                reply.header().stream()
                        .map(line -> line.split(":", 2))
                        .collect(
                                Collectors.toMap(
                                        each -> each[0], each -> each[1].strip(), (a, _) -> a));
        return exchange(new Answer(reply.status(), answered, reply.body()));
    }

    /** Sends the request over HTTP/2, see {@link Http2Client}. */
    Exchange sendByHttp2(int port) {
        return exchange(Http2Client.send(port, method, target(), headers, body));
    }

    private Exchange exchange(Answer answer) {
        var alternating = new ArrayList<String>();
        headers.forEach((name, value) -> alternating.addAll(List.of(name, value)));
        return new Exchange(method, target(), text(), alternating, answer);
    }

    @Override
    public String toString() {
        return method + " " + target() + " " + headers + " " + text();
    }

    private String target() {
        return path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }
}
