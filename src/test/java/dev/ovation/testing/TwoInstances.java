package dev.ovation.testing;

import dev.ovation.hot.Fences;
import dev.ovation.hot.RedisSchema;

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
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Two instances of the service side by side on one Redis and one database, started once for all
 * test classes that are extended with this and stopped after the last test. Each test uses entities
 * of its own.
 */
public final class TwoInstances implements BeforeAllCallback {

    /** User reactions above which these instances load an entity partially. */
    public static final int CROWD = 16;

    /**
     * Time-outs beyond which a server or a thread of a busy machine does not stand still: no test
     * here is about them, and a request that meets one is refused by right.
     */
    private static final String[] PATIENT = {
        "ovation.relay.stuck-after=60s",
        "ovation.requests.attach=30s",
        "ovation.hot.command-timeout=10s",
        "ovation.postgres.patience=10s",
        "ovation.hot.lease=30s",
        "ovation.loads.patience=20s",
        "server.tomcat.connection-timeout=60s",
        "ovation.http.head=60s",
        "ovation.http.grace=60s",
        "spring.datasource.hikari.connection-timeout=20000",
        "spring.datasource.hikari.connection-init-sql=select 1",
        "spring.datasource.hikari.data-source-properties.connectTimeout=20",
        "spring.datasource.hikari.data-source-properties.loginTimeout=20",
        "spring.datasource.hikari.data-source-properties.socketTimeout=60",
        "spring.datasource.hikari.data-source-properties.options="
                + "-c idle_in_transaction_session_timeout=60s",
    };

    private static Servers servers;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers =
                context.getRoot()
                        .getStore(Namespace.create(TwoInstances.class))
                        .computeIfAbsent("servers", _ -> new Servers(), Servers.class);
        allAttached();
    }

    /** One of the two; its writes wait a minute for their commit, which a test may hold back. */
    public static Instance one() {
        return servers.one;
    }

    /** The other, whose writes wait 10 seconds; then their outcome is unknown. */
    public static Instance other() {
        return servers.other;
    }

    /** Waits until both can write everywhere. */
    public static void allAttached() {
        servers.one.attached();
        servers.other.attached();
    }

    /**
     * Waits, after Redis has lost all that it had, until both have every partition that is open
     * there: before, either may believe still that nothing is gone.
     */
    public static void allAnew() {
        Wait.until(
                "both have all partitions anew",
                () -> hasWhatIsOpen(servers.one) && hasWhatIsOpen(servers.other));
        allAttached();
    }

    private static boolean hasWhatIsOpen(Instance instance) {
        var fences = instance.bean(Fences.class);
        for (int p = 0; p < fences.partitions(); p++) {
            var fence = fences.of(p);
            String open = servers.commands.hget(RedisSchema.meta(p), "epoch");
            if (fence == null || !Long.toString(fence.epoch()).equals(open)) {
                return false;
            }
        }
        return true;
    }

    /** The folder of the configuration files of both. */
    public static Path files() {
        return servers.files;
    }

    /** Starts one more beside them, with files of its own, and waits until it takes writes. */
    public static Instance third(Path config, String... settings) {
        return Instance.start(servers.jdbcUrl, servers.redis.uri(), config, with(PATIENT, settings))
                .watchedBy(servers.judge::check)
                .attached();
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }

    /** The OpenAPI document, by which all exchanges with these instances are judged. */
    public static ApiDocument document() {
        return servers.document;
    }

    /** The server of {@link #redis}, to be killed and started again. */
    public static RedisProcess redisProcess() {
        return servers.redis;
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

    /** Judges what did not go through {@link Instance#send}. */
    public static ExchangeJudge judge() {
        return servers.judge;
    }

    private static final class Servers implements AutoCloseable {
        private final RedisProcess redis = RedisProcess.start();
        private final RedisClient client = RedisClient.create(redis.uri());
        private final RedisCommands<String, String> commands = client.connect().sync();
        private final String jdbcUrl = TestPostgres.url();
        private final Path files = temporaryFolder();
        private final Instance one;
        private final Instance other;
        private final ApiDocument document;
        private final ExchangeJudge judge;

        Servers() {
            TestRules.shared().writeTo(files);
            one =
                    start(
                            "ovation.requests.deadline=60s",
                            "ovation.hot.in-hand=60s",
                            "ovation.pcc.enabled=true");
            other = start("ovation.requests.deadline=10s");
            document = ApiDocument.of(one);
            judge = new ExchangeJudge(document);
            one.watchedBy(judge::check);
            other.watchedBy(judge::check);
        }

        /** A crowd is small here, so that tests can make one. */
        private Instance start(String... settings) {
            String[] crowd = {
                "ovation.hot.crowd=" + CROWD, "ovation.hot.partial-bound=" + 2 * CROWD,
            };
            return Instance.start(
                    jdbcUrl, redis.uri(), files, with(with(PATIENT, crowd), settings));
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
