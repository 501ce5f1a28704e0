package dev.ovation.testing;

import static java.util.stream.Collectors.joining;

import dev.ovation.testing.Instance.Answer;

import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.util.FileSystemUtils;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Class path of child JVMs, with an AOT cache. The first child fills the cache; the others read it
 * instead of loading and linking class after class, and start in half the time.
 */
final class ClassCache {

    /** Small heap, quick start, and equal for all JVMs that share the cache. */
    private static final List<String> FLAGS =
            List.of(
                    "-XX:TieredStopAtLevel=1",
                    // C1 alone would have 48 MB. A start fills them, and the JVM collects the heap.
                    "-XX:ReservedCodeCacheSize=128m",
                    "-XX:+UseSerialGC",
                    "-Xmx256m");

    /** Test classes that a child runs; it would scan all others for beans at each start. */
    private static final Pattern PROGRAMS =
            Pattern.compile("dev/ovation/(testing|embedded)/.+\\.class");

    /**
     * Libraries that only other tests use: a start looks in each for the classes that Spring
     * expects optionally. Saxon offers itself to the service as an XSLT processor, and its signed
     * classes are verified at each start, because they cannot be cached.
     */
    private static final Pattern OF_TESTS =
            Pattern.compile(
                    "(Saxon-HE|xmlresolver|gatling|scala|archunit|mockito|byte-buddy|testcontainers"
                            + "|docker-java|brotli4j|native|netty-(tcnative|.*(io_uring|macos)))-.*");

    private static final String OWN = ClassCache.class.getName().replace('.', '/') + ".class";

    private static List<String> options;

    private ClassCache() {}

    /** Options of a JVM that uses the cache; the first call fills it. */
    static synchronized List<String> options() {
        if (options == null) {
            options = fill();
        }
        return options;
    }

    private static List<String> fill() {
        try {
            Path folder = Files.createTempDirectory("ovation-classes");
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> FileSystemUtils.deleteRecursively(folder.toFile())));
            Path cache = folder.resolve("classes.aot");
            String path =
                    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                            .map(Path::of)
                            .filter(each -> !OF_TESTS.matcher("" + each.getFileName()).matches())
                            .map(each -> Files.isDirectory(each) ? jar(each, folder) : each)
                            .map(Path::toString)
                            .collect(joining(File.pathSeparator));
            var plain = with(FLAGS, "-cp", path);
            boolean isTrained;
            try {
                isTrained = rehearse(with(plain, "-XX:AOTCacheOutput=" + cache), folder);
            } catch (CompletionException e) {
                System.out.println("No class cache: this machine is too busy. " + e.getMessage());
                return plain;
            }
            if (isTrained && !Files.exists(cache)) {
                System.out.println("No class cache: the JVM has written none");
                return plain;
            }
            return isTrained ? with(plain, "-XX:AOTCache=" + cache) : plain;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Arrays.stream(more)).toList();
    }

    /** Returns whether the rehearsal succeeded; prints its output if it did not. */
    private static boolean rehearse(List<String> options, Path folder) {
        TestRules.shared().writeTo(folder);
        try (var redis = RedisProcess.start();
                var child =
                        ChildJvm.launch(
                                options,
                                Rehearsal.class,
                                List.of(
                                        "--server.port=0",
                                        "--spring.datasource.url=" + TestPostgres.url(),
                                        "--spring.datasource.username=postgres",
                                        "--spring.datasource.password=postgres",
                                        "--spring.data.redis.url=" + redis.uri(),
                                        "--ovation.config-dir=" + folder))) {
            boolean succeeded = child.exitCode() == 0;
            if (!succeeded) {
                System.out.println("No class cache: " + child.output());
            }
            return succeeded;
        }
    }

    /** Packs the classes into a jar, because only classes from jars are cached. */
    private static Path jar(Path classes, Path folder) {
        boolean ofTests = Files.exists(classes.resolve(OWN));
        try {
            Path jar = Files.createTempFile(folder, "classes", ".jar");
            try (var out = new ZipOutputStream(Files.newOutputStream(jar));
                    var files = Files.walk(classes)) {
                out.setLevel(Deflater.NO_COMPRESSION);
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = classes.relativize(file).toString().replace('\\', '/');
                    if (ofTests && name.endsWith(".class") && !PROGRAMS.matcher(name).matches()) {
                        continue;
                    }
                    if (Files.isRegularFile(file)) {
                        out.putNextEntry(new ZipEntry(name));
                        Files.copy(file, out);
                    } else if (!name.isEmpty()) {
                        out.putNextEntry(new ZipEntry(name + "/"));
                    }
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the service, has it answer as in a test, and ends it. */
    static final class Rehearsal {

        private Rehearsal() {}

        public static void main(String... arguments) {
            try (var context = FaultyOvation.run(arguments)) {
                answer(((ServletWebServerApplicationContext) context).getWebServer().getPort());
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                System.exit(1);
            }
            System.exit(0);
        }

        private static void answer(int port) {
            Wait.until(
                    "the service is ready",
                    () -> Instance.sendTo(port, "GET", "/readyz", null).status() == 200);
            var _ = Instance.sendTo(port, "GET", "/actuator/health", null);
            String body = Instance.body("walls", "entity", "user", "a");
            Answer answer = Instance.sendTo(port, "POST", "/reactions", body);
            if (answer.status() != 200) {
                throw new IllegalStateException(answer.body());
            }
        }
    }
}
