package dev.ovation.testing;

import com.github.dockerjava.api.DockerClient;

import org.springframework.util.FileSystemUtils;
import org.testcontainers.containers.GenericContainer;

import redis.embedded.core.ExecutableProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A way to run Redis; the server can be killed and restarted on the same port and folder. */
interface RedisServer {

    /** Starts or restarts the server. */
    void start();

    /** Whether the server runs. */
    boolean isAlive();

    /** Returns the output of the server since its last start. */
    String log();

    /** Sends SIGKILL; returns when the process has ended. */
    void kill();

    /** Ends the server and deletes its data. */
    void discard();

    String host();

    /** A process of the embedded binary. */
    final class Local implements RedisServer {

        private final List<String> command = new ArrayList<>();
        private final Path directory;
        private Process process;

        Local(int port, Path directory, List<String> options) {
            this.directory = directory;
            command.addAll(List.of(Executable.PATH.toString(), "--port", "" + port));
            command.addAll(List.of("--aclfile", Rights.PATH.toString()));
            command.addAll(options);
            Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        }

        private static final class Executable {
            private static final Path PATH = path();

            private static Path path() {
                try {
                    return ExecutableProvider.newJarResourceProvider().get().toPath();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        /** File of rights, outside of the data folder, which tests replace. */
        private static final class Rights {
            private static final Path PATH = path();

            private static Path path() {
                try {
                    Path file = Files.createTempFile("ovation-redis", ".acl");
                    file.toFile().deleteOnExit();
                    return Files.writeString(file, RedisUser.rights());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void start() {
            try {
                process =
                        new ProcessBuilder(command)
                                .directory(directory.toFile())
                                .redirectErrorStream(true)
                                .redirectOutput(logFile().toFile())
                                .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public String log() {
            try {
                return Files.readString(logFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Path logFile() {
            return directory.resolve("redis.log");
        }

        @Override
        public void kill() {
            process.destroyForcibly();
            try {
                if (!process.waitFor(2, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("Redis outlives SIGKILL");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void discard() {
            kill();
            FileSystemUtils.deleteRecursively(directory.toFile());
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        long pid() {
            return process.pid();
        }
    }

    /** A container. */
    final class Contained implements RedisServer {

        private final GenericContainer<?> container;

        Contained(int port, List<String> options) {
            container = Containers.redis(port, options);
        }

        @Override
        public void start() {
            if (container.getContainerId() == null) {
                container.start();
            } else {
                client().startContainerCmd(container.getContainerId()).exec();
            }
        }

        @Override
        public boolean isAlive() {
            return container.isRunning();
        }

        @Override
        public String log() {
            return container.getLogs();
        }

        @Override
        public void kill() {
            client().killContainerCmd(container.getContainerId()).exec();
            Wait.until("the container has ended", () -> !container.isRunning());
        }

        @Override
        public void discard() {
            container.stop();
        }

        @Override
        public String host() {
            return container.getHost();
        }

        private DockerClient client() {
            return container.getDockerClient();
        }
    }
}
