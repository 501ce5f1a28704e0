package dev.ovation.testing;

import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;

/**
 * Two instances of the service on one Redis and one database. They are started once for all test
 * classes with this extension, and stopped after the last one. Each test uses entities of its own.
 */
public final class TwoInstances implements BeforeAllCallback {

    /** User reactions above which these instances load an entity partially. */
    public static final int CROWD = 16;

    /**
     * Any instance may send to any webhook of these tests, so all of them may reach its receiver.
     */
    private static final String[] SHARED = {
        "ovation.webhooks.allow-private=true",
        "ovation.internal.webhooks.poll=100ms",
        "ovation.internal.webhooks.first-retry=50ms",
        "ovation.internal.webhooks.last-retry=200ms",
        "ovation.internal.webhooks.timeout=30s", // an attempt may meet a pause of this JVM
        "ovation.audit.rate=1", // the tests leave thousands of entities, and await no audit
    };

    private static Servers servers;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers = SharedFixtures.of(context, TwoInstances.class, Servers.class, Servers::new);
        allAttached();
    }

    /** The first instance. Writes of both wait a minute for a commit, which a test may delay. */
    public static Instance one() {
        return servers.one;
    }

    /** The second instance. */
    public static Instance other() {
        return servers.other;
    }

    /** Waits until both accept writes in all partitions. */
    public static void allAttached() {
        servers.one.attached();
        servers.other.attached();
    }

    /**
     * Waits, after Redis has lost all data, until both are attached to every partition that is open
     * there. Before that an instance may not have noticed the loss.
     */
    public static void allAnew() {
        Wait.until(
                "both are attached to all partitions again",
                () -> hasWhatIsOpen(servers.one) && hasWhatIsOpen(servers.other));
        allAttached();
    }

    private static boolean hasWhatIsOpen(Instance instance) {
        var fences = instance.bean(Fences.class);
        for (int p = 0; p < fences.partitions().count(); p++) {
            var fence = fences.of(p);
            String open = servers.commands.hget(RedisSchema.meta(p), "epoch");
            if (fence == null || !Long.toString(fence.epoch()).equals(open)) {
                return false;
            }
        }
        return true;
    }

    /** Folder of the configuration files of both. */
    public static Path files() {
        return servers.files;
    }

    /** Starts a third instance, with files of its own, and waits until it accepts writes. */
    public static Instance third(Path config, String... settings) {
        return Instance.start(servers.jdbcUrl, servers.redis.uri(), config, with(settings))
                .watchedBy(servers.judge::check)
                .attached();
    }

    /** Starts a third instance that judges seasons by a clock of the test. */
    public static Instance third(Clock clock) {
        return Instance.start(clock, servers.jdbcUrl, servers.redis.uri(), servers.files, with())
                .watchedBy(servers.judge::check)
                .attached();
    }

    /**
     * Starts a third instance. The outcome of its writes is unknown after 10 seconds, that of a
     * refresh after 5.
     */
    public static Instance hasty() {
        return beside(
                        "ovation.requests.deadline=10s",
                        "ovation.internal.configuration.publishing=5s")
                .attached();
    }

    /** Starts a third instance without waiting for it; it may require credentials. */
    public static Instance beside(String... settings) {
        return Instance.start(servers.jdbcUrl, servers.redis.uri(), servers.files, with(settings))
                .watchedBy(servers.judge::check);
    }

    /** The OpenAPI document that judges all exchanges with these instances. */
    public static ApiDocument document() {
        return servers.document;
    }

    /** The server of {@link #redis}, which a test may kill and restart. */
    public static RedisProcess redisProcess() {
        return servers.redis;
    }

    /** Commands to Redis, past the service. */
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

    /** Judge for exchanges that did not use {@link Instance#send}. */
    public static ExchangeJudge judge() {
        return servers.judge;
    }

    private static String[] with(String... settings) {
        return Patience.settings(Patience.longWith(SHARED), settings);
    }

    private static final class Servers implements AutoCloseable {
        private final RedisProcess redis = RedisProcess.start();
        private final RedisSession session = redis.session();
        private final RedisCommands<String, String> commands = session.commands();
        private final String jdbcUrl = TestPostgres.url();
        private final Path files = temporaryFolder();
        private final Instance one;
        private final Instance other;
        private final ApiDocument document;
        private final ExchangeJudge judge;

        Servers() {
            TestRules.shared().writeTo(files);
            String waiting = "ovation.internal.hot.in-flight-ttl=60s"; // as long as a write
            one = start(waiting, "ovation.pcc.enabled=true");
            other = start(waiting);
            document = ApiDocument.of(one);
            judge = new ExchangeJudge(document);
            one.watchedBy(judge::check);
            other.watchedBy(judge::check);
        }

        /** Starts an instance for which few reactors already make a high-cardinality entity. */
        private Instance start(String... settings) {
            String[] crowd = {
                "ovation.internal.live.longest=0s", // requests of all kinds end
                "ovation.internal.hot.complete-limit=" + CROWD,
                "ovation.internal.hot.partial-limit=" + 2 * CROWD
            };
            return Instance.start(
                    jdbcUrl, redis.uri(), files, with(Patience.settings(crowd, settings)));
        }

        @Override
        public void close() {
            one.close();
            other.close();
            session.close();
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
