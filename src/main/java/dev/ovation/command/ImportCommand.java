package dev.ovation.command;

import dev.ovation.entity.Sha256;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;

/**
 * Sends a file and waits for the job that imports it or compares it. The idempotency key of an
 * import is a hash of the arguments and the file. So the same command continues an interrupted
 * import, and repeats no row. A comparison is made anew each time.
 */
final class ImportCommand {

    private static final int TRIES = 30;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Arguments arguments;
    private final PrintStream out;
    private final PrintStream err;
    private final ProgressBar bar;
    private final boolean compares;
    private final String command;
    private final String kind;
    private final @Nullable Path file;
    private final String name;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Creates a command that imports a file, or compares it with what is stored. */
    ImportCommand(Arguments arguments, boolean compares, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.compares = compares;
        this.command = compares ? "compare" : "import";
        this.out = out;
        this.err = err;
        this.bar = new ProgressBar(err);
        this.kind = arguments.needed("kind");
        String given = arguments.file();
        if (given == null) {
            throw new Arguments.MisuseException("which file?");
        }
        this.file = given.equals("-") ? null : Path.of(given);
        this.name = given;
    }

    int run() {
        try (client) {
            String id = send(key());
            return id == null ? CommandLine.FAILED : await(id);
        } catch (IOException | UncheckedIOException e) {
            err.println(command + ": " + e);
            return CommandLine.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.FAILED;
        }
    }

    private String key() throws IOException {
        if (file == null || compares || arguments.has("again")) {
            return UUID.randomUUID().toString();
        }
        var digest = Sha256.digest();
        digest.update(
                (kind + '\n' + arguments.get("namespace") + '\n').getBytes(StandardCharsets.UTF_8));
        try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the id of the job; null when the service refuses the file. */
    private @Nullable String send(String key) throws IOException, InterruptedException {
        for (int i = 1; ; i++) {
            try {
                HttpResponse<String> answer = client.send(request(key), BodyHandlers.ofString());
                if (answer.statusCode() == 202) {
                    return JSON.readTree(answer.body()).path("job_id").asString();
                }
                boolean later = Set.of(409, 429, 503).contains(answer.statusCode());
                if (!later || file == null || i == TRIES) {
                    err.println(command + ": " + answer.body());
                    return null;
                }
            } catch (IOException e) {
                if (file == null || i == TRIES) {
                    throw e;
                }
                err.println(command + ": " + e + ", once more");
            }
            Thread.sleep(PAUSE);
        }
    }

    private HttpRequest request(String key) throws IOException {
        boolean zipped = name.endsWith(".gz");
        boolean json = name.matches(".*\\.(ndjson|jsonl)(\\.gz)?");
        long size = file == null ? 0 : Files.size(file);
        var request =
                Arguments.request(
                                arguments.uri(
                                        "/imports",
                                        "kind",
                                        kind,
                                        "namespace_id",
                                        arguments.get("namespace"),
                                        "compare",
                                        compares ? "true" : null))
                        .header("Idempotency-Key", key)
                        // A file that is refused or was imported before need not be sent.
                        .expectContinue(true)
                        .header("Content-Type", json ? "application/x-ndjson" : "text/csv")
                        .POST(BodyPublishers.ofInputStream(() -> open(size)));
        return (zipped ? request.header("Content-Encoding", "gzip") : request).build();
    }

    private InputStream open(long size) {
        try {
            return new Watched(file == null ? System.in : Files.newInputStream(file), size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int await(String id) throws InterruptedException {
        var request = Arguments.request(arguments.uri("/jobs", "job_id", id)).build();
        for (int i = 0; i < TRIES; i++) {
            JsonNode job = look(request);
            String state = job.path("state").asString("");
            switch (state) {
                case "" -> Thread.sleep(PAUSE);
                case "waiting", "running" -> {
                    i = -1;
                    bar.show(compares ? "comparing" : "importing", done(job), total(job));
                    Thread.sleep(LOOK);
                }
                default -> {
                    bar.end(compares ? "comparing" : "importing", done(job), total(job));
                    out.println(job.toPrettyString());
                    return state.equals("done") && differences(job) == 0
                            ? CommandLine.DONE
                            : CommandLine.FAILED;
                }
            }
        }
        err.println(command + ": gave up polling job " + id);
        return CommandLine.FAILED;
    }

    /** Returns the job; empty while it cannot be read. */
    private JsonNode look(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                return JSON.readTree(answer.body());
            }
        } catch (IOException | JacksonException e) {
            // The service is down, or another server answers in its place.
        }
        return JSON.createObjectNode();
    }

    /** Returns the number of differences that a comparison found; 0 for an import. */
    private static long differences(JsonNode job) {
        JsonNode report = job.path("report");
        return report.path("missing").path("count").asLong(0)
                + report.path("extra").path("count").asLong(0);
    }

    private static long done(JsonNode job) {
        return job.path("done").asLong(0);
    }

    private static long total(JsonNode job) {
        return job.path("total").asLong(0);
    }

    /** Shows the sent part of the file. */
    private final class Watched extends FilterInputStream {
        private final long size;
        private long sent;

        Watched(InputStream in, long size) {
            super(in);
            this.size = size;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count(next < 0 ? -1 : 1);
            return next;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            count(read);
            return read;
        }

        private void count(int read) {
            if (read < 0) {
                bar.end("sending", sent, size);
            } else {
                sent += read;
                bar.show("sending", sent, size);
            }
        }
    }
}
