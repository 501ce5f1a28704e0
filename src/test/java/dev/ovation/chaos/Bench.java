package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Citus;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.Wait;

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Test bed of one run: a Redis, a Postgres, two instances of the service, and a proxy on each link.
 * The second instance has a JVM of its own.
 */
final class Bench implements AutoCloseable {

    private static final String[] REDIS = {"--appendonly", "yes", "--lua-time-limit", "500"};

    /**
     * Bounds a hang of connections that bypass the links. A busy machine may need seconds for a
     * connection, which is no violation.
     */
    private static final Duration BOUND = Duration.ofMinutes(1);

    /** Client of all connections that bypass the links. */
    private static final RedisClient CLIENT = client();

    /**
     * Small bounds, so that the load reaches them. The time to live is long, so that it does not
     * remove drift before an audit finds it.
     */
    private static final List<String> SETTINGS =
            List.of(
                    "ovation.partitions=16",
                    "ovation.internal.hot.complete-limit=12",
                    "ovation.internal.hot.partial-limit=24",
                    "ovation.hot.ttl=" + 3 * Drift.BOUND.toSeconds() + "s",
                    "ovation.internal.jobs.lease=2s",
                    "ovation.near-cache.max-age=" + Audience.BOUND.toMillis() + "ms",
                    "ovation.webhooks.allow-private=true",
                    "ovation.internal.webhooks.poll=100ms",
                    "ovation.internal.webhooks.lease=3s",
                    "ovation.internal.webhooks.timeout=1s",
                    "ovation.internal.webhooks.first-retry=100ms",
                    "ovation.internal.webhooks.last-retry=1s",
                    "spring.datasource.username=postgres",
                    "spring.datasource.password=postgres");

    /** The links of one instance. */
    record Site(Door door, TcpProxy toRedis, TcpProxy toPostgres) {
        List<TcpProxy> links() {
            return List.of(toRedis, toPostgres, door.link);
        }
    }

    private final PostgresProcess postgres = Citus.IS_GIVEN ? null : PostgresProcess.start();
    private final String url = Citus.IS_GIVEN ? TestPostgres.url() : postgres.url();
    private final Path files = folder("ovation-config");
    private final Path haltNow = folder("ovation-halt").resolve("now");
    private final List<Site> sites = new ArrayList<>();
    private final Instance near;
    private RedisProcess redis = RedisProcess.start(REDIS);
    private ServiceProcess far;

    private volatile boolean resting;
    private volatile Season season;

    /**
     * Starts all parts.
     *
     * @param season from the end of the start to the end of the season
     */
    Bench(Duration season) {
        beginSeason(season);
        var first = links();
        near =
                Instance.start(
                        first[1].through(url),
                        first[0].through(redis.uri()),
                        files,
                        SETTINGS.toArray(String[]::new));
        near.attached();
        sites.add(new Site(new Door("near", near.port()), first[0], first[1]));
        var second = links();
        sites.add(new Site(new Door("far", 1), second[0], second[1]));
        startFar(Point.AFTER_SCRIPT);
        beginSeason(season);
        Wait.until(
                "the rules are in force",
                () -> near.send("POST", "/actuator/refresh", null),
                answer -> answer.status() == 200);
    }

    private void beginSeason(Duration lasts) {
        season = new Season(Instant.now().plus(lasts).truncatedTo(ChronoUnit.MILLIS));
        write(rules(4));
    }

    Season season() {
        return season;
    }

    /** Rules with a variable limit for one namespace. */
    TestRules rules(int limitOfFlux) {
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

    private TcpProxy[] links() {
        return new TcpProxy[] {TcpProxy.before(redis.uri()), TcpProxy.before(url)};
    }

    /** Starts the second instance; it halts at this point after {@link #haltFar}. */
    void startFar(Point haltAt) {
        try {
            Files.deleteIfExists(haltNow);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var site = sites.getLast();
        var settings = new ArrayList<>(SETTINGS);
        settings.add("spring.datasource.url=" + site.toPostgres.through(url));
        settings.add("spring.data.redis.url=" + site.toRedis.through(redis.uri()));
        settings.add("ovation.config-dir=" + files);
        settings.add("halt-at=" + haltAt);
        settings.add("halt-when=" + haltNow);
        synchronized (files) {
            far = ServiceProcess.start(settings.toArray(String[]::new));
        }
        site.door.link.leadTo("127.0.0.1", far.port());
        site.door.open(true);
    }

    /** Sends SIGKILL to the second instance. */
    void killFar() {
        far.kill();
        sites.getLast().door.open(false);
    }

    /** Sends SIGTERM to the second instance. */
    void terminateFar() {
        far.terminate();
        sites.getLast().door.open(false);
    }

    /** Makes the second instance halt at its point. */
    void haltFar() throws IOException {
        Files.createFile(haltNow);
    }

    ServiceProcess far() {
        return far;
    }

    PostgresProcess postgres() {
        return postgres;
    }

    RedisProcess redis() {
        return redis;
    }

    List<Site> sites() {
        return sites;
    }

    List<Door> doors() {
        return sites.stream().map(Site::door).toList();
    }

    /** Writes other rules to the files of both instances. */
    void write(TestRules rules) {
        synchronized (files) {
            rules.writeTo(files);
        }
    }

    /** Starts a second Redis as a replica of the current one and waits until it is in sync. */
    RedisProcess follower() {
        var follower = RedisProcess.start(REDIS);
        follow(follower, redis);
        return follower;
    }

    /** Makes one Redis the replica of another and waits until it is in sync. */
    static void follow(RedisProcess replica, RedisProcess master) {
        ask(replica, redis -> redis.replicaof("127.0.0.1", master.port()));
        Wait.until(
                "the replica is in sync",
                BOUND,
                () ->
                        ask(replica, redis -> redis.info("replication"))
                                .contains("master_link_status:up"));
    }

    /** Redirects all instances to another Redis and kills the previous one. */
    void changeTo(RedisProcess other) {
        var before = redis;
        redis = other;
        sites.forEach(site -> site.toRedis.leadTo("127.0.0.1", other.port()));
        before.close();
    }

    /** Queries Redis past the links. */
    <T> T redis(Function<RedisCommands<String, String>, T> question) {
        return ask(redis, question);
    }

    static <T> T ask(RedisProcess redis, Function<RedisCommands<String, String>, T> question) {
        try (var connection = CLIENT.connect(RedisURI.create(redis.uri()))) {
            return question.apply(connection.sync());
        }
    }

    /** Opens a connection to Postgres past the links. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "%s?sslmode=disable&socketTimeout=%2$d&connectTimeout=%2$d&options=%3$s"
                        .formatted(url, BOUND.toSeconds(), Citus.SNAPSHOTS),
                "postgres",
                "postgres");
    }

    /** Whether the load must pause, so that none of its requests repairs drift. */
    boolean isResting() {
        return resting;
    }

    void rest(boolean value) {
        resting = value;
    }

    @Override
    public void close() {
        near.close();
        far.close();
        sites.forEach(site -> site.links().forEach(TcpProxy::close));
        redis.close();
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

    private static Path folder(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
