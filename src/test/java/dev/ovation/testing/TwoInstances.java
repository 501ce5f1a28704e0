package dev.ovation.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Two instances of the service side by side on one Redis and one database, started once for all
 * test classes that are extended with this and stopped after the last test. Each test uses entities
 * of its own.
 */
public final class TwoInstances implements BeforeAllCallback {

    private static Servers servers;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers =
                context.getRoot()
                        .getStore(Namespace.create(TwoInstances.class))
                        .computeIfAbsent("servers", _ -> new Servers(), Servers.class);
        allAttached();
    }

    /** One of the two; it is patient with writes whose commit a test holds back. */
    public static Instance one() {
        return servers.one;
    }

    /** The other, which is not. */
    public static Instance other() {
        return servers.other;
    }

    /** Waits until both can write everywhere. */
    public static void allAttached() {
        servers.one.attached();
        servers.other.attached();
    }

    /** The folder of the configuration files of both. */
    public static Path files() {
        return servers.files;
    }

    public static String jdbcUrl() {
        return servers.jdbcUrl;
    }

    public static String redisUri() {
        return servers.redis.uri();
    }

    /** What is in Redis, past the service. */
    public static RedisCommands<String, String> redis() {
        return servers.commands;
    }

    /** A connection to the database, past the service. */
    public static Connection database() {
        try {
            return DriverManager.getConnection(servers.jdbcUrl, "postgres", "postgres");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Servers implements AutoCloseable {
        private final RedisProcess redis = RedisProcess.start();
        private final RedisClient client = RedisClient.create(redis.uri());
        private final RedisCommands<String, String> commands = client.connect().sync();
        private final String jdbcUrl = TestPostgres.url();
        private final Path files = temporaryFolder();
        private final Instance one;
        private final Instance other;

        Servers() {
            TestRules.shared().writeTo(files);
            one =
                    Instance.start(
                            jdbcUrl,
                            redis.uri(),
                            files,
                            "ovation.requests.deadline=60s",
                            "ovation.relay.stuck-after=60s",
                            "ovation.hot.in-hand=60s");
            other = Instance.start(jdbcUrl, redis.uri(), files, "ovation.relay.stuck-after=3s");
        }

        @Override
        public void close() {
            one.close();
            other.close();
            client.shutdown();
            redis.close();
        }

        private static Path temporaryFolder() {
            try {
                return Files.createTempDirectory("ovation-config");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
