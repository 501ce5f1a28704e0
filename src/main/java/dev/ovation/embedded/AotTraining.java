package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedPostgres;
import dev.ovation.embedded.server.EmbeddedRedis;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Trains an AOT cache of the JDK for the packaged program. The program starts in a JVM of its own
 * on embedded servers, answers a write and two reads, and stops; then that JVM writes the cache
 * with the classes and lambdas that it used. The embedded servers must be on the class path of this
 * JVM, which must be the one that will use the cache.
 */
final class AotTraining {

    private static final Pattern LISTENS = Pattern.compile("Tomcat started on port (\\d+)");

    /** The same representation of references as in a container, on a machine of any size. */
    private static final String HEAP = "-Xmx1g";

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /** The exit status of a JVM that SIGTERM ends. */
    private static final int TERMINATED = 143;

    private static final String REACTION =
            """
            {"namespace_id":"posts","entity_id":"training","user_id":"user-1","reaction_id":"👍"}\
            """;

    private static final String READ =
            "/reactions?namespace_id=posts&entity_id=training&user_id=user-1";

    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Path log;
    private final Process program;
    private final long end = System.nanoTime() + BOUND.toNanos();

    private AotTraining(Path log, Process program) {
        this.log = log;
        this.program = program;
    }

    /**
     * Trains a cache, within 10 minutes.
     *
     * @param arguments the extracted jar; the file of the cache, which is replaced; then the flags
     *     of the JVM, which must be those that will use the cache
     * @throws IllegalStateException when the program does not start, refuses a request, or leaves
     *     no cache; its output is printed
     */
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("Arguments: JAR CACHE FLAG…");
        }
        Path cache = Path.of(arguments[1]);
        Files.deleteIfExists(cache);
        Path directory = Files.createTempDirectory("training");
        try (var folder = DataFolder.take(directory);
                var postgres = new EmbeddedPostgres(folder, 0);
                var redis = new EmbeddedRedis(folder, 0)) {
            postgres.start();
            redis.start();
            var command =
                    new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.command().addAll(List.of(arguments).subList(2, arguments.length));
            command.command()
                    .addAll(
                            List.of(
                                    HEAP,
                                    "-XX:AOTCacheOutput=" + cache,
                                    "-jar",
                                    arguments[0],
                                    "--server.port=0"));
            command.environment().put("SPRING_DATASOURCE_URL", postgres.url());
            command.environment().put("SPRING_DATASOURCE_USERNAME", EmbeddedPostgres.USER);
            command.environment().put("SPRING_DATASOURCE_PASSWORD", postgres.password());
            command.environment()
                    .put(
                            "SPRING_DATA_REDIS_URL",
                            "redis://:%s@127.0.0.1:%d".formatted(redis.password(), redis.port()));
            Path log = directory.resolve("program.log");
            command.redirectErrorStream(true).redirectOutput(log.toFile());
            train(new AotTraining(log, command.start()));
        } finally {
            FileSystemUtils.deleteRecursively(directory);
        }
        if (!Files.exists(cache)) {
            throw new IllegalStateException("The JVM wrote no cache to " + cache);
        }
    }

    private static void train(AotTraining training) throws IOException, InterruptedException {
        var atExit = new Thread(training::kill);
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            training.run();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } finally {
            training.kill();
            IO.println(Files.readString(training.log));
        }
    }

    private void kill() {
        program.descendants().forEach(ProcessHandle::destroyForcibly);
        program.destroyForcibly();
    }

    private void run() throws IOException, InterruptedException {
        String address = "http://127.0.0.1:" + port();
        try (var client = HttpClient.newHttpClient()) {
            ask(client, HttpRequest.newBuilder(URI.create(address + "/readyz")));
            ask(
                    client,
                    HttpRequest.newBuilder(URI.create(address + "/reactions?if_exists=ok"))
                            .POST(BodyPublishers.ofString(REACTION)));
            ask(client, HttpRequest.newBuilder(URI.create(address + READ)));
        }
        program.destroy();
        if (!program.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("The program does not end");
        }
        if (program.exitValue() != TERMINATED) {
            throw new IllegalStateException("The program ended with status " + program.exitValue());
        }
    }

    private String port() throws IOException, InterruptedException {
        Matcher listens = LISTENS.matcher(Files.readString(log));
        while (!listens.find()) {
            pause("The program does not start");
            listens = LISTENS.matcher(Files.readString(log));
        }
        return listens.group(1);
    }

    /** Repeats a request that finds its partition not attached yet. */
    private void ask(HttpClient client, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        HttpRequest bounded = request.timeout(BOUND).build();
        int status = UNAVAILABLE;
        while (status == UNAVAILABLE) {
            pause("The program does not serve " + bounded.uri());
            status = client.send(bounded, BodyHandlers.discarding()).statusCode();
        }
        if (status != OK) {
            throw new IllegalStateException("%s has status %d".formatted(bounded.uri(), status));
        }
    }

    private void pause(String failure) throws InterruptedException {
        if (!program.isAlive() || System.nanoTime() > end) {
            throw new IllegalStateException(failure);
        }
        Thread.sleep(PAUSE);
    }
}
