package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedPostgres;
import dev.ovation.embedded.server.EmbeddedRedis;

import org.springframework.util.FileSystemUtils;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /** The exit status of a JVM that SIGTERM ends. */
    private static final int TERMINATED = 143;

    private static final String REACTION =
            """
            {"namespace_id":"posts","entity_id":"training","user_id":"user-1","reaction_id":"👍"}\
            """;

    private AotTraining() {}

    /**
     * Trains a cache.
     *
     * @param arguments the extracted jar; the file of the cache; then the flags of the JVM, which
     *     must be those that will use the cache
     * @throws IllegalStateException when the program does not start, answers an error, or leaves no
     *     cache
     */
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("Arguments: JAR CACHE FLAG…");
        }
        Path cache = Path.of(arguments[1]);
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
            train(command.redirectErrorStream(true));
        } finally {
            FileSystemUtils.deleteRecursively(directory);
        }
        if (!Files.exists(cache)) {
            throw new IllegalStateException("The JVM wrote no cache to " + cache);
        }
    }

    private static void train(ProcessBuilder command) throws IOException, InterruptedException {
        Process program = command.start();
        try (var output = program.inputReader()) {
            use("http://127.0.0.1:" + port(output));
            // Process.destroy would close the output.
            program.toHandle().destroy();
            output.lines().forEach(IO::println);
            int status = program.waitFor();
            if (status != TERMINATED) {
                throw new IllegalStateException("The program ended with status " + status);
            }
        } finally {
            program.destroyForcibly();
        }
    }

    private static String port(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            IO.println(line);
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) {
                return listens.group(1);
            }
        }
        throw new IllegalStateException("The program did not start");
    }

    private static void use(String program) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var write =
                    HttpRequest.newBuilder(URI.create(program + "/reactions"))
                            .POST(BodyPublishers.ofString(REACTION));
            var read =
                    HttpRequest.newBuilder(
                            URI.create(
                                    program
                                            + "/reactions?namespace_id=posts&entity_id=training&user_id=user-1"));
            var ready = HttpRequest.newBuilder(URI.create(program + "/readyz"));
            for (var request : List.of(write, read, ready)) {
                var answer = client.send(request.build(), BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IllegalStateException("The program answers " + answer.body());
                }
            }
        }
    }
}
