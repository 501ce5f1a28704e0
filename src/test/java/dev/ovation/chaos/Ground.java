package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Citus;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.sync.RedisCommands;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

/** Environment of a load: a Postgres, a Redis, the files of the rules, and instances. */
abstract class Ground implements AutoCloseable {

    static final int PARTITIONS = 16;

    /** A killed process keeps what it has written. Without fsync a busy disk stalls no server. */
    static final String[] REDIS = {
        "--appendonly", "yes", "--appendfsync", "no", "--lua-time-limit", "500"
    };

    /**
     * Bounds a hang of connections that bypass the links. A busy machine may need seconds for a
     * connection, which is no violation.
     */
    static final Duration BOUND = Duration.ofMinutes(1);

    /** Client of all connections that bypass the links. */
    private static final RedisClient CLIENT = client();

    /**
     * Small bounds, so that the load reaches them. The time to live is long, so that it does not
     * remove drift before an audit finds it.
     */
    static final List<String> SETTINGS =
            List.of(
                    "ovation.partitions=" + PARTITIONS,
                    "ovation.internal.hot.complete-limit=12",
                    "ovation.internal.hot.partial-limit=24",
                    "ovation.hot.ttl=" + 3 * Drift.BOUND.toSeconds() + "s",
                    "ovation.internal.jobs.lease=2s",
                    "ovation.near-cache.max-age=" + Audience.BOUND.toMillis() + "ms",
                    // A pause between the head of a request and its body is no slow client.
                    "ovation.internal.http.max-header-time=60s",
                    "ovation.internal.http.body-grace=60s",
                    "ovation.webhooks.allow-private=true",
                    "ovation.internal.webhooks.poll=100ms",
                    "ovation.internal.webhooks.lease=3s",
                    "ovation.internal.webhooks.timeout=1s",
                    "ovation.internal.webhooks.first-retry=100ms",
                    "ovation.internal.webhooks.last-retry=1s",
                    "spring.datasource.username=postgres",
                    "spring.datasource.password=postgres");

    private final PostgresProcess postgres = Citus.IS_GIVEN ? null : PostgresProcess.start();
    private final String url = postgres == null ? TestPostgres.url() : postgres.url();
    private final Path files = folder("ovation-config");

    private volatile boolean resting;
    private volatile Season season;

    /** Returns the doors of the instances. */
    abstract List<Door> doors();

    /** Returns the present Redis. */
    abstract RedisProcess redis();

    /** Begins a season of this duration, and writes the rules. */
    final void beginSeason(Duration lasts) {
        season = new Season(Instant.now().plus(lasts).truncatedTo(ChronoUnit.MILLIS));
        write(rules(4));
    }

    final Season season() {
        return season;
    }

    final PostgresProcess postgres() {
        return postgres;
    }

    /** Returns the address of Postgres past the links. */
    final String url() {
        return url;
    }

    /** Returns the folder of the files of the rules, which is the lock of their changes. */
    final Path files() {
        return files;
    }

    /** Rules with a variable limit for one namespace. */
    final TestRules rules(int limitOfFlux) {
        var rules = TestRules.shared();
        season.defineIn(rules);
        rules.set("seasonal", Place.LETTERS);
        rules.constrained(
                Space.RULED.id(),
                "seasonal",
                Space.RULED.limit,
                Space.RULED.exclusive(),
                Term.ATTRIBUTES,
                Term.expressions());
        for (Space space : List.of(Space.CAPPED, Space.FLUX, Space.FREE)) {
            int limit = space == Space.FLUX ? limitOfFlux : space.limit;
            rules.namespace(space.id(), "letters", limit, space.exclusive());
        }
        rules.open(
                Space.TONES.id(),
                "emoji",
                "fold",
                List.of("👍", "❤️"),
                Space.TONES.limit,
                Space.TONES.most);
        rules.open(
                Space.TEXTS.id(), "any", "keep", List.of("a"), Space.TEXTS.limit, Space.TEXTS.most);
        return rules;
    }

    /** Writes other rules to the files of all instances. */
    final void write(TestRules rules) {
        synchronized (files) {
            rules.writeTo(files);
        }
    }

    /** Queries Redis past the links. */
    <T> T redis(Function<RedisCommands<String, String>, T> question) {
        return ask(redis(), question);
    }

    static <T> T ask(RedisProcess redis, Function<RedisCommands<String, String>, T> question) {
        try (var connection = CLIENT.connect(RedisURI.create(redis.uri()))) {
            return question.apply(connection.sync());
        }
    }

    /** Opens a connection to Postgres past the links. */
    final Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "%s?sslmode=disable&socketTimeout=%2$d&connectTimeout=%2$d&options=%3$s"
                        .formatted(url, BOUND.toSeconds(), Citus.SNAPSHOTS),
                "postgres",
                "postgres");
    }

    /** Returns the effects that bans may have. */
    List<Ban.Effect> effects() {
        return List.of(Ban.Effect.values());
    }

    /** Whether the load must pause, so that none of its requests repairs drift. */
    final boolean isResting() {
        return resting;
    }

    final void rest(boolean value) {
        resting = value;
    }

    @Override
    public void close() {
        if (postgres != null) {
            postgres.close();
        }
    }

    private static RedisClient client() {
        var client = RedisClient.create();
        client.setOptions(
                ClientOptions.builder()
                        .socketOptions(SocketOptions.builder().connectTimeout(BOUND).build())
                        .build());
        return client;
    }

    static Path folder(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
