package dev.ovation.testing;

import com.github.dockerjava.api.DockerClient;

import org.springframework.util.FileSystemUtils;
import org.testcontainers.containers.GenericContainer;

import redis.embedded.core.ExecutableProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
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

    /** The address of the server at a port, for the default user. */
    default String uri(int port) {
        return "redis://" + host() + ":" + port;
    }

    /** Opens a session at the server. */
    default RedisSession session(int port) {
        return RedisSession.at(uri(port));
    }

    /** Whether the server answers. */
    default boolean accepts(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host(), port), 200);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes());
            return new String(socket.getInputStream().readNBytes(5)).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    /** A cluster of three masters in the place of one server. */
    final class Clustered implements RedisServer {

        private RedisCluster cluster;

        @Override
        public void start() {
            if (cluster == null) {
                cluster = RedisCluster.start(RedisCluster.SERVERS, 0);
            } else {
                cluster.nodes().forEach(RedisProcess::restart);
            }
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public String log() {
            return "";
        }

        @Override
        public void kill() {
            cluster.nodes().forEach(RedisProcess::kill);
        }

        @Override
        public void discard() {
            cluster.close();
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public String uri(int port) {
            return cluster.uri();
        }

        @Override
        public RedisSession session(int port) {
            return RedisSession.atCluster(cluster.nodes().stream().map(RedisProcess::uri).toList());
        }

        @Override
        public boolean accepts(int port) {
            return cluster.isWell();
        }
    }

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
