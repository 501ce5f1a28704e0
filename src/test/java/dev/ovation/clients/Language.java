package dev.ovation.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/** The languages of clients: how each is generated, compiled and run. */
enum Language {
    JAVA(
            "java",
            List.of("--library", "native"),
            "useJackson3=true,openApiNullable=false,useJakartaEe=true") {
        @Override
        void compile(Path client) {
            var arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-encoding", "UTF-8"));
            arguments.addAll(List.of("-d", client.resolve("classes").toString()));
            arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
            arguments.add(program("java/Program.java").toString());
            arguments.addAll(Tool.files(client.resolve("src/main"), ".java"));
            int code =
                    ToolProvider.getSystemJavaCompiler()
                            .run(null, null, null, arguments.toArray(String[]::new));
            assertThat(code).as("result of javac").isZero();
        }

        @Override
        List<String> command(Path client) {
            String classes = client.resolve("classes").toString();
            String path = classes + File.pathSeparator + System.getProperty("java.class.path");
            return List.of(Tool.java(), "-XX:TieredStopAtLevel=1", "-cp", path, "Program");
        }
    },
    KOTLIN("kotlin", List.of("--library", "jvm-okhttp4"), "") {
        @Override
        String missing() {
            return Files.isDirectory(LIBRARIES) ? "" : "the compiler, which -Pclients copies";
        }

        @Override
        void compile(Path client) {
            var command = java();
            command.add("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
            command.addAll(List.of("-no-stdlib", "-no-reflect", "-nowarn", "-cp", libraries()));
            command.addAll(List.of("-d", client.resolve("client.jar").toString()));
            command.add(client.resolve("src/main/kotlin").toString());
            command.add(program("kotlin/Program.kt").toString());
            Tool.run(client, command);
        }

        @Override
        List<String> command(Path client) {
            String path = client.resolve("client.jar") + File.pathSeparator + libraries();
            return List.of(Tool.java(), "-cp", path, "ProgramKt");
        }

        private static List<String> java() {
            return new ArrayList<>(List.of(Tool.java(), "-Xmx1g", "-cp", libraries()));
        }

        private static String libraries() {
            return Tool.files(LIBRARIES, ".jar").stream()
                    .collect(Collectors.joining(File.pathSeparator));
        }
    },
    GO(
            "go",
            List.of(
                    "--git-host",
                    "example.com",
                    "--git-user-id",
                    "ovation",
                    "--git-repo-id",
                    "client"),
            "") {
        @Override
        String missing() {
            return Tool.exists("go") ? "" : "go";
        }

        @Override
        void compile(Path client) {
            copy("go/main.go", client.resolve("program/main.go"));
            Tool.run(client, List.of("go", "mod", "tidy"));
            Tool.run(client, List.of("go", "vet", "./program"));
            Tool.run(client, List.of("go", "build", "-o", "program/program", "./program"));
        }

        @Override
        List<String> command(Path client) {
            return List.of(client.resolve("program/program").toString());
        }
    },
    TYPESCRIPT("typescript-fetch", List.of(), "importFileExtension=.js") {
        @Override
        Path sources(Path client) {
            return client.resolve("client");
        }

        @Override
        String missing() {
            return Tool.exists("npm") ? "" : "npm";
        }

        @Override
        void compile(Path client) {
            copy("typescript/program.ts", client.resolve("program.ts"));
            copy("typescript/package.json", client.resolve("package.json"));
            copy("typescript/tsconfig.json", client.resolve("tsconfig.json"));
            Tool.run(client, List.of("npm", "install", "--no-audit", "--no-fund", "--silent"));
            Tool.run(client, List.of("npx", "tsc"));
        }

        @Override
        List<String> command(Path client) {
            return List.of("node", client.resolve("program.js").toString());
        }
    },
    PYTHON("python", List.of(), "") {
        @Override
        String missing() {
            return Tool.exists("python3") ? "" : "python3";
        }

        @Override
        void compile(Path client) {
            copy("python/program.py", client.resolve("program.py"));
            Tool.run(client, List.of("python3", "-m", "compileall", "-q", "."));
            Tool.run(client, List.of("python3", "-m", "venv", "venv"));
            Tool.run(
                    client,
                    List.of("venv/bin/pip", "install", "--quiet", "-r", "requirements.txt"));
        }

        @Override
        List<String> command(Path client) {
            return List.of(
                    client.resolve("venv/bin/python").toString(),
                    client.resolve("program.py").toString());
        }
    },
    /** Generated and compiled only: it has no program. */
    SWIFT("swift6", List.of(), "") {
        @Override
        String missing() {
            return Tool.exists("swift") ? "" : "swift";
        }

        @Override
        void compile(Path client) {
            Tool.run(client, List.of("swift", "build"));
        }

        @Override
        List<String> command(Path client) {
            return List.of();
        }
    };

    /** Compiler of Kotlin, and libraries of its client. */
    private static final Path LIBRARIES = Generator.FOLDER.resolve("kotlin-libraries");

    private static final Path PROGRAMS = Path.of("src/clients").toAbsolutePath();

    private final List<String> options;

    Language(String generator, List<String> options, String properties) {
        this.options =
                Stream.concat(
                                Stream.of("-g", generator),
                                Stream.concat(
                                        options.stream(),
                                        properties.isEmpty()
                                                ? Stream.of()
                                                : Stream.of("--additional-properties", properties)))
                        .toList();
    }

    /** The options of the generator. */
    List<String> options() {
        return options;
    }

    /** The folder of the generated files within that of the client. */
    Path sources(Path client) {
        return client;
    }

    /** Returns the tool that this machine lacks for the language; empty if it lacks none. */
    String missing() {
        return "";
    }

    /**
     * Compiles the client and the program that uses it.
     *
     * @throws AssertionError if one does not compile
     */
    abstract void compile(Path client);

    /** Starts the compiled program; the address of the service and an entity are added to it. */
    abstract List<String> command(Path client);

    private static Path program(String file) {
        return PROGRAMS.resolve(file);
    }

    private static void copy(String file, Path to) {
        try {
            Files.createDirectories(to.getParent());
            Files.copy(program(file), to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
