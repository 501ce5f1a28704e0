package dev.ovation.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/**
 * The jar that {@code ./mvnw package} makes; its path is the property {@code packaged.jar}. The
 * tests run in parallel: each waits for a process of its own, in a folder of its own.
 */
@EnabledIfSystemProperty(named = "packaged.jar", matches = ".+")
@Execution(ExecutionMode.CONCURRENT)
class PackagedJarIT {

    private static final Pattern LISTENS = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Pattern LIBRARY = Pattern.compile("(.+?)-(\\d.*)\\.jar");
    private static final String OUTPUT = "output.log";

    /** A start takes seconds, on a busy machine many of them. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final String path = System.getProperty("packaged.jar");

    @TempDir Path empty;

    @Test
    void itHoldsNothingOfTheEmbeddedServers() throws IOException {
        try (var jar = new JarFile(path)) {
            List<String> libraries =
                    jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.startsWith("BOOT-INF/lib/"))
                            .toList();
            assertThat(libraries)
                    .anyMatch(name -> name.contains("/postgresql-"))
                    .noneMatch(name -> name.matches(".*/(embedded-|commons-(?!logging)|xz-).*"));
        }
    }

    @Test
    void itHoldsNothingOfTheTests() throws IOException {
        assertThat(libraries())
                .noneMatch(name -> name.matches(".*(junit|assertj|gatling|tcnative|io_uring).*"));
    }

    private List<String> libraries() throws IOException {
        String folder = "BOOT-INF/lib/";
        try (var jar = new JarFile(path)) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith(folder) && !name.equals(folder))
                    .map(name -> name.substring(folder.length()))
                    .toList();
        }
    }

    /**
     * Netty's native parts come from tests, and a part of Spring Boot from its plugin. Maven leaves
     * the plugin of the list out of a build with {@code -o}.
     */
    @Test
    void itHasAListOfItsLibraries() throws IOException {
        String entry = "META-INF/sbom/application.cdx.json";
        assertThat(Files.readString(Path.of("pom.xml"))).contains("cyclonedx-maven-plugin");
        try (var jar = new JarFile(path)) {
            assumeThat(jar.getEntry(entry)).as("built with -o").isNotNull();
        }
        String list = text(entry);
        assertThat(list).doesNotContain("\"timestamp\"");
        assertThat(libraries())
                .hasSizeGreaterThan(50)
                .filteredOn(name -> !name.matches("netty-.*(native|classes).*|.*-jarmode-.*"))
                .allSatisfy(
                        name -> {
                            var parts = LIBRARY.matcher(name);
                            assertThat(parts.matches()).as(name).isTrue();
                            assertThat(list)
                                    .contains("/" + parts.group(1) + "@" + parts.group(2) + "?");
                        });
    }

    /** All entries have the time of the release, so that two builds of a commit are the same. */
    @Test
    void itsEntriesHaveOneTime() throws IOException {
        try (var jar = new JarFile(path)) {
            assertThat(
                            jar.stream()
                                    .filter(entry -> !entry.getName().startsWith("BOOT-INF/lib/"))
                                    .filter(entry -> !entry.getName().startsWith("org/"))
                                    .map(ZipEntry::getTimeLocal)
                                    .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void itKnowsItsVersion() throws IOException {
        assertThat(text("META-INF/build-info.properties"))
                .contains("build.version=")
                .doesNotContain("build.time");
    }

    private String text(String entry) throws IOException {
        try (var jar = new JarFile(path);
                var in = jar.getInputStream(jar.getEntry(entry))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void startedWithoutAddressesItNamesBothInOneSentence() throws Exception {
        assertThat(outputOfFailedStart(Map.of()))
                .contains(
                        "set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD for Postgres, and SPRING_DATA_REDIS_URL for Redis.")
                .doesNotContain("\tat ");
    }

    @Test
    void startedWithOneAddressItNamesTheOther() throws Exception {
        String url = "jdbc:postgresql://db.invalid/ovation";
        assertThat(outputOfFailedStart(Map.of("SPRING_DATASOURCE_URL", url)))
                .contains("has no address of Redis: set SPRING_DATA_REDIS_URL for Redis.")
                .doesNotContain("\tat ");
    }

    /** The files of the page come from a library in the jar. */
    @Test
    void itServesTheOpenApiDocumentAndItsPage() throws Exception {
        try (var redis = RedisProcess.start()) {
            Process process =
                    start(
                            Map.of(
                                    "PORT",
                                    "0",
                                    "OVATION_CONFIG_DIR",
                                    Path.of("config").toAbsolutePath().toString(),
                                    "SPRING_DATASOURCE_URL",
                                    TestPostgres.url(),
                                    "SPRING_DATASOURCE_USERNAME",
                                    "postgres",
                                    "SPRING_DATASOURCE_PASSWORD",
                                    "postgres",
                                    "SPRING_DATA_REDIS_URL",
                                    redis.uri()));
            try {
                Wait.until(
                        "the service listens, or has ended",
                        BOUND,
                        () -> port().isPresent() || !process.isAlive());
                String output = output();
                int port = port().orElseThrow(() -> new AssertionError(output));
                assertThat(get(port, "/v3/api-docs")).contains("\"/reactions\"", "\"/ping\"");
                String java = ProcessHandle.current().info().command().orElseThrow();
                String url = "--url=http://127.0.0.1:" + port;
                var health = new ProcessBuilder(java, "-jar", path, "health", url).inheritIO();
                Wait.until("it is ready", BOUND, () -> health.start().waitFor() == 0);
                assertThat(get(port, "/swagger-ui/index.html")).contains("swagger-ui-bundle.js");
                assertThat(get(port, "/swagger-ui/swagger-ui-bundle.js")).isNotEmpty();
                assertThat(get(port, "/swagger-ui/swagger-initializer.js"))
                        .contains("/v3/api-docs");
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private OptionalInt port() throws IOException {
        var listens = LISTENS.matcher(output());
        return listens.find()
                ? OptionalInt.of(Integer.parseInt(listens.group(1)))
                : OptionalInt.empty();
    }

    private String output() throws IOException {
        return Files.readString(empty.resolve(OUTPUT));
    }

    private static String get(int port, String path) {
        Answer answer = Instance.sendTo(port, "GET", path, null);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void itsCommandsNeedNoServers() throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        Process process =
                new ProcessBuilder(java, "-jar", path, "import").redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(2);
        assertThat(output).contains("--kind is missing", "pcc-likes");
    }

    /** By the same commands as the profile aot and the image. */
    @Test
    void itTrainsAnAotCache() throws Exception {
        String cache = empty.resolve("ovation.aot").toString();
        String extracted = empty.resolve(Path.of(path).getFileName()).toString();
        assertThat(
                        exitCode(
                                "-Djarmode=tools",
                                "-jar",
                                path,
                                "extract",
                                "--force",
                                "--destination",
                                "."))
                .as(output())
                .isZero();
        assertThat(
                        exitCode(
                                "-cp",
                                ChildJvm.classPath(),
                                "dev.ovation.embedded.AotTraining",
                                extracted,
                                cache,
                                "-Dovation.config-dir=" + Path.of("config").toAbsolutePath()))
                .as(output())
                .isZero();

        // Mode "on" fails where a cache cannot be used.
        assertThat(exitCode("-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-jar", extracted, "import"))
                .as(output())
                .isEqualTo(2);
        assertThat(output()).contains("--kind is missing");
    }

    private int exitCode(String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(empty.toFile())
                .redirectErrorStream(true)
                .redirectOutput(empty.resolve(OUTPUT).toFile())
                .start()
                .waitFor();
    }

    private String outputOfFailedStart(Map<String, String> environment) throws Exception {
        Process process = start(environment);
        assertThat(process.waitFor()).as(output()).isEqualTo(1);
        return output();
    }

    private Process start(Map<String, String> environment) throws IOException {
        String java = ProcessHandle.current().info().command().orElseThrow();
        // It runs for some seconds only, less than the better compiler would need.
        var builder = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-jar", path);
        builder.directory(empty.toFile()).redirectErrorStream(true);
        builder.redirectOutput(empty.resolve(OUTPUT).toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SPRING_"));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
