package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TcpProxy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;

/** Address of an instance for clients, behind a link that may fail. */
final class Door {

    /** Time limit of a client; longer than the deadline of a request. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(2))
                    .build();
    final String name;
    final TcpProxy link;
    private volatile boolean open = true;

    Door(String name, int port) {
        this.name = name;
        this.link = TcpProxy.before("127.0.0.1", port);
    }

    /** Opens or closes the door; a closed door refuses connections. */
    void open(boolean value) {
        open = value;
    }

    boolean isOpen() {
        return open;
    }

    Answer write(History history, Operation operation, String... headers) throws IOException {
        return send(
                operation.kind.method,
                operation.kind.target,
                operation.body(history.user, history.place),
                headers);
    }

    Answer send(String method, String path, String body, String... headers) throws IOException {
        return send(PATIENCE, method, path, body, headers);
    }

    /** Sends a request with a time limit other than that of clients. */
    Answer send(Duration patience, String method, String path, String body, String... headers)
            throws IOException {
        if (!open) {
            throw new ConnectException("the instance is down");
        }
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + link.port() + path))
                        .timeout(patience)
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var found = new LinkedHashMap<String, String>();
            response.headers().map().forEach((name, values) -> found.put(name, values.getFirst()));
            return new Answer(response.statusCode(), found, response.body());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
