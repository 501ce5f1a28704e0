package dev.ovation.simulation;

import dev.ovation.Ovation;
import dev.ovation.testing.ChildJvm;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A service that serves reactions, in a JVM of its own on a free port of this machine. */
public final class Service implements AutoCloseable {

    /** Flags of every service's JVM: those of the image. */
    private static final String IMAGE_FLAGS = "@docker/jvm.options";

    private final ChildJvm process;
    private final List<Path> folders;

    private Service(ChildJvm process, List<Path> folders) {
        this.process = process;
        this.folders = folders;
    }

    /**
     * Starts a program of this class path and waits until it serves.
     *
     * @param main its main class, a Spring Boot application with Tomcat
     * @param jvmFlags as on the command line of {@code java}, beside those of the image
     * @param settings Spring's, as {@code name=value}; its port is a free one unless they set it
     * @throws AssertionError with its output if it ends before it serves
     */
    public static Service start(Class<?> main, List<String> jvmFlags, List<String> settings) {
        return start(main, jvmFlags, settings, List.of());
    }

    /**
     * Starts Ovation with embedded servers, whose data is in a new folder that is deleted with the
     * service, and with the {@linkplain #rules() namespaces of the simulations}.
     */
    public static Service ovation(List<String> jvmFlags, List<String> settings) {
        Path data = folder("ovation-data");
        Path rules = rules();
        var all = new ArrayList<String>();
        all.add("ovation.embedded.directory=" + data);
        all.add("ovation.config-dir=" + rules);
        all.addAll(settings);
        return start(Ovation.class, jvmFlags, all, List.of(data, rules));
    }

    private static Service start(
            Class<?> main, List<String> jvmFlags, List<String> settings, List<Path> folders) {
        var arguments = new ArrayList<String>();
        arguments.add("--server.port=0");
        arguments.add("--logging.config=classpath:simulation/service-logback.xml");
        settings.forEach(setting -> arguments.add("--" + setting));
        var flags = new ArrayList<>(List.of(IMAGE_FLAGS));
        flags.addAll(jvmFlags);
        var service = new Service(ChildJvm.start(main, flags, arguments), folders);
        try {
            service.process.serving();
            return service;
        } catch (AssertionError e) {
            service.close();
            throw e;
        }
    }

    /** Returns a new folder with the configuration of the namespaces that simulations use. */
    public static Path rules() {
        Path folder = folder("ovation-rules");
        for (String file : List.of("reactions.yaml", "reaction_sets.yaml", "namespaces.yaml")) {
            try (var content = new ClassPathResource("simulation/rules/" + file).getInputStream()) {
                Files.copy(content, folder.resolve(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return folder;
    }

    private static Path folder(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its address, without a path. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + process.port().orElseThrow());
    }

    public long pid() {
        return process.pid();
    }

    /** Its output so far. */
    public String output() {
        return process.output();
    }

    /** Stops it by SIGTERM, waits for its end, and removes its data. */
    @Override
    public void close() {
        process.close();
        try {
            for (Path folder : folders) {
                FileSystemUtils.deleteRecursively(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
