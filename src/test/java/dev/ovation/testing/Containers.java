package dev.ovation.testing;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

import java.util.ArrayList;
import java.util.List;

/** Servers in containers, which replace the embedded ones with {@code -Ptestcontainers}. */
final class Containers {

    /** Whether tests run on containers. */
    static final boolean CHOSEN = "testcontainers".equals(System.getProperty("test.servers"));

    private static final int REDIS_PORT = 6379;

    private Containers() {}

    /** Starts a Postgres. */
    static PostgreSQLContainer postgres(String... command) {
        String image = System.getProperty("testcontainers.postgres.image");
        var container =
                new PostgreSQLContainer(
                                DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
                        .withDatabaseName("postgres")
                        .withUsername("postgres")
                        .withPassword("postgres")
                        .withCommand(command);
        container.start();
        return container;
    }

    /** Prepares a Redis on a port that it keeps when it is started again. */
    static GenericContainer<?> redis(int port, List<String> options) {
        var command =
                new ArrayList<>(
                        List.of(
                                "redis-server",
                                "--protected-mode",
                                "no",
                                "--aclfile",
                                "/redis.acl"));
        command.addAll(options);
        var binding = new PortBinding(Ports.Binding.bindPort(port), new ExposedPort(REDIS_PORT));
        return new GenericContainer<>(
                        DockerImageName.parse(System.getProperty("testcontainers.redis.image")))
                .withExposedPorts(REDIS_PORT)
                .withCopyToContainer(Transferable.of(RedisUser.rights()), "/redis.acl")
                .withCreateContainerCmdModifier(
                        create -> create.getHostConfig().withPortBindings(binding))
                .withCommand(command.toArray(String[]::new));
    }
}
