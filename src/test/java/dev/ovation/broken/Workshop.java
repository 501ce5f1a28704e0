package dev.ovation.broken;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a broken rule into a folder that precedes the program on a class path. */
final class Workshop {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path RESOURCES = Path.of("src/main/resources");

    /** Folder of migrations of which one is altered. */
    static final String MIGRATIONS = "altered-migrations";

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Shared, because it keeps the jars of the class path open. */
    private static final JavaFileManager FILES =
            COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    private Workshop() {}

    /** Puts the altered classes or the altered resource into an empty folder. */
    static void build(BrokenRule rule, Path folder) {
        try {
            empty(folder);
            if (rule.file().startsWith(SOURCES)) {
                compile(List.of(rule), folder);
            } else {
                Path copy = copy(rule, folder);
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, rule.altered());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Migrations are together in a folder of their own, because Flyway follows no class path. */
    private static Path copy(BrokenRule rule, Path folder) throws IOException {
        if (rule.file().startsWith(RESOURCES)) {
            return folder.resolve(RESOURCES.relativize(rule.file()).toString());
        }
        Path migrations = Files.createDirectories(folder.resolve(MIGRATIONS));
        try (var files = Files.list(rule.file().getParent())) {
            for (Path file : files.toList()) {
                Files.copy(file, migrations.resolve(file.getFileName()));
            }
        }
        return migrations.resolve(rule.file().getFileName());
    }

    /** Compiles the altered sources of rules that are in different files. */
    static synchronized void compile(Collection<BrokenRule> rules, Path folder) {
        var said = new StringWriter();
        var options =
                List.of(
                        "-parameters",
                        "-proc:none",
                        "-nowarn",
                        "-implicit:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString());
        var sources = rules.stream().map(Altered::new).toList();
        if (!COMPILER.getTask(said, FILES, null, options, null, sources).call()) {
            throw new IllegalStateException("a broken rule does not compile: " + said);
        }
    }

    /** An altered source in memory. */
    private static final class Altered extends SimpleJavaFileObject {
        private final String content;

        Altered(BrokenRule rule) {
            super(
                    URI.create("string:///" + SOURCES.relativize(rule.file())),
                    JavaFileObject.Kind.SOURCE);
            this.content = rule.altered();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
        Files.createDirectories(folder);
    }
}
