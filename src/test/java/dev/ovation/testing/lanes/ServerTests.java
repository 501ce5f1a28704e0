package dev.ovation.testing.lanes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Test classes from which code that starts a server is reachable. The byte code shows this, so that
 * no annotation is needed.
 */
final class ServerTests {

    private static final Pattern NAME = Pattern.compile("dev/ovation/[\\w/]+");
    private static final String FIXTURES = "dev.ovation.testing.";

    /** Classes that start a Redis, a Postgres or a JVM. */
    private static final Set<String> STARTERS =
            Set.of(
                    FIXTURES + "RedisProcess",
                    FIXTURES + "PostgresProcess",
                    FIXTURES + "PostgresServer",
                    FIXTURES + "ChildJvm");

    /** Names of methods that break a server, shared or not. */
    private static final Set<String> BREAKING = Set.of("flushall", "redisProcess");

    /** Classes that start a server once for all tests of a JVM. */
    private static final Set<String> SHARED =
            Set.of(FIXTURES + "TestPostgres", FIXTURES + "TwoInstances");

    /** Each outermost class, with the classes that its code or that of its nested classes names. */
    private final Map<String, Set<String>> named = new HashMap<>();

    private final Set<String> breaking = new HashSet<>();

    /** Reads the class files of the tests. */
    ServerTests() {
        try (Stream<Path> files = Files.walk(folder())) {
            files.filter(file -> file.toString().endsWith(".class")).forEach(this::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a test class needs a server, its own or a shared one. */
    boolean needsServer(Class<?> test) {
        return reaches(outermost(test.getName()), Set.of());
    }

    /** Names of the test classes that start a server of their own or break one, sorted. */
    List<String> startingOrBreaking() {
        return named.keySet().stream()
                .filter(name -> name.endsWith("Test"))
                .filter(name -> breaking.contains(name) || reaches(name, SHARED))
                .sorted()
                .toList();
    }

    private boolean reaches(String test, Set<String> except) {
        var seen = new HashSet<>(except);
        var open = new ArrayDeque<>(List.of(test));
        while (!open.isEmpty()) {
            String name = open.remove();
            if (STARTERS.contains(name)) {
                return true;
            }
            if (seen.add(name)) {
                open.addAll(named.getOrDefault(name, Set.of()));
            }
        }
        return false;
    }

    /** Reads the names in the constant pool, including those in descriptors and annotations. */
    private void read(Path file) {
        try {
            var type = ClassFile.of().parse(file);
            String name = outermost(type.thisClass().asInternalName().replace('/', '.'));
            Set<String> names = named.computeIfAbsent(name, _ -> new HashSet<>());
            for (PoolEntry entry : type.constantPool()) {
                if (entry instanceof Utf8Entry text) {
                    if (BREAKING.contains(text.stringValue())) {
                        breaking.add(name);
                    }
                    NAME.matcher(text.stringValue())
                            .results()
                            .map(MatchResult::group)
                            .forEach(each -> names.add(each.replace('/', '.')));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String outermost(String name) {
        return name.replaceAll("\\$.*", "");
    }

    private static Path folder() {
        try {
            return Path.of(
                    ServerTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
