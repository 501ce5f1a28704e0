package dev.ovation.testing;

import static java.util.stream.Collectors.joining;

import org.springframework.util.FileSystemUtils;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
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
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

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
                            .map(each -> Files.isDirectory(each) ? jar(each, folder) : each)
                            .map(Path::toString)
                            .collect(joining(File.pathSeparator));
            var plain = with(FLAGS, "-cp", path);
            try {
                rehearse(with(plain, "-XX:AOTCacheOutput=" + cache), folder);
            } catch (CompletionException e) {
                return plain; // timeout: this machine is too busy for a cache
            }
            return Files.exists(cache) ? with(plain, "-XX:AOTCache=" + cache) : plain;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Arrays.stream(more)).toList();
    }

    private static void rehearse(List<String> options, Path folder) {
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
            child.exitCode();
        }
    }

    /** Packs the classes into a jar, because only classes from jars are cached. */
    private static Path jar(Path classes, Path folder) {
        try {
            Path jar = Files.createTempFile(folder, "classes", ".jar");
            try (var out = new ZipOutputStream(Files.newOutputStream(jar));
                    var files = Files.walk(classes)) {
                out.setLevel(Deflater.NO_COMPRESSION);
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = classes.relativize(file).toString().replace('\\', '/');
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

    /** Starts the service and ends it. */
    static final class Rehearsal {

        private Rehearsal() {}

        public static void main(String... arguments) {
            FaultyOvation.run(arguments).close();
            System.exit(0);
        }
    }
}
