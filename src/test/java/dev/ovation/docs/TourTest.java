package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tour of {@code README.md}, then {@code docs/recipes.md}: each command runs in bash against a
 * service on a new database. Its output must be the one shown, in which {@code …} stands for any
 * text. A kill of the service is a stop here, together with a restart of Redis, which is empty
 * afterwards.
 */
class TourTest {

    private static final String TOUR = "## Tour in five minutes";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(\\$ .*?)^```$");
    private static final Path CONFIG = Path.of("config").toAbsolutePath();

    private record Step(String command, String shown) {}

    @Test
    void eachCommandAnswersAsShown(@TempDir Path folder) throws Exception {
        assumeThat(shell("curl --version >/dev/null && echo there", folder)).isEqualTo("there");
        copyConfiguration(folder.resolve("config"));
        List<Step> steps = steps();
        assertThat(steps).hasSizeGreaterThan(25);
        try (var redis = RedisProcess.start()) {
            String database = TestPostgres.url();
            Instance service = start(database, redis, folder);
            try {
                for (Step step : steps) {
                    if (step.command().startsWith("pkill ")) {
                        service.close();
                        redis.kill();
                        redis.restart();
                        service = start(database, redis, folder);
                    } else if (!step.command().startsWith("./mvnw ")) {
                        String answer = shell(local(step.command(), service), folder);
                        assertThat(answer)
                                .as(step.command())
                                .matches(Pattern.compile(pattern(step.shown()), Pattern.DOTALL));
                    }
                }
            } finally {
                service.close();
            }
        }
    }

    private static Instance start(String database, RedisProcess redis, Path folder) {
        Path config = folder.resolve("config");
        return Instance.start(database, redis.uri(), config, Patience.LONG).attached();
    }

    /** The service listens on another port, and the folder is no clone. */
    private static String local(String command, Instance service) {
        return command.replace("localhost:8080", "localhost:" + service.port())
                .replace(
                        "git checkout config/namespaces.yaml",
                        "cp '" + CONFIG + "/namespaces.yaml' config/")
                .replaceAll("\\bcurl (?!-s)", "curl -s ");
    }

    private static String pattern(String shown) {
        return Arrays.stream(shown.split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
    }

    private static List<Step> steps() throws IOException {
        String tour = Files.readString(Path.of("README.md")).split(TOUR, 2)[1].split("\n## ", 2)[0];
        String recipes = Files.readString(Path.of("docs", "recipes.md"));
        var steps = new ArrayList<Step>();
        BLOCK.matcher(tour + recipes)
                .results()
                .flatMap(block -> Arrays.stream(("\n" + block.group(1)).split("\n\\$ ")).skip(1))
                .forEach(
                        text -> {
                            String[] parts = text.strip().split("\n", 2);
                            steps.add(new Step(parts[0], parts.length == 1 ? "" : parts[1]));
                        });
        return steps;
    }

    private static String shell(String command, Path folder) throws Exception {
        Process bash =
                new ProcessBuilder("bash", "-c", command)
                        .directory(folder.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var out = bash.getInputStream()) {
            String answer = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            var _ = bash.waitFor();
            return answer;
        }
    }

    private static void copyConfiguration(Path target) throws IOException {
        Files.createDirectories(target);
        try (Stream<Path> files = Files.list(CONFIG)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }
}
