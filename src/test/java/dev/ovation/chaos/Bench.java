package dev.ovation.chaos;

import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fences;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Test bed of one run: a Redis, a Postgres, two instances of the service, and a proxy on each link.
 * The second instance has a JVM of its own.
 */
final class Bench extends Ground {

    /** The links of one instance; that to Redis is null if Redis is a cluster. */
    record Site(Door door, TcpProxy toRedis, TcpProxy toPostgres) {
        List<TcpProxy> links() {
            return Stream.of(toRedis, toPostgres, door.link).filter(Objects::nonNull).toList();
        }
    }

    private final Path haltNow = folder("ovation-halt").resolve("now");
    private final List<Site> sites = new ArrayList<>();
    private final Instance near;
    private final RedisCluster cluster;
    private RedisProcess redis;
    private ServiceProcess far;

    /**
     * Starts all parts.
     *
     * @param season from the end of the start to the end of the season
     * @param clustered whether Redis is a cluster of three masters, each with a replica
     */
    Bench(Duration season, boolean clustered) {
        cluster = clustered ? RedisCluster.start(3, 1, REDIS) : null;
        redis = clustered ? null : RedisProcess.start(REDIS);
        beginSeason(season);
        var first = links();
        near =
                Instance.start(
                        first[1].through(url()),
                        address(first[0]),
                        files(),
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

    private TcpProxy[] links() {
        return new TcpProxy[] {
            cluster == null ? TcpProxy.before(redis.uri()) : null, TcpProxy.before(url())
        };
    }

    /** The address of Redis for an instance. */
    private String address(TcpProxy link) {
        return cluster == null ? link.through(redis.uri()) : cluster.uri();
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
        settings.add("spring.datasource.url=" + site.toPostgres.through(url()));
        settings.add("spring.data.redis.url=" + address(site.toRedis));
        settings.add("ovation.config-dir=" + files());
        settings.add("halt-at=" + haltAt);
        settings.add("halt-when=" + haltNow);
        synchronized (files()) {
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

    @Override
    RedisProcess redis() {
        return redis;
    }

    boolean isClustered() {
        return cluster != null;
    }

    RedisCluster cluster() {
        return cluster;
    }

    /** Whether the first instance is not attached to a partition. */
    boolean isDetached(int p) {
        return near.bean(Fences.class).of(p) == null;
    }

    List<Site> sites() {
        return sites;
    }

    @Override
    List<Door> doors() {
        return sites.stream().map(Site::door).toList();
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

    @Override
    <T> T redis(Function<RedisCommands<String, String>, T> question) {
        return cluster == null ? super.redis(question) : question.apply(cluster.commands());
    }

    @Override
    public void close() {
        near.close();
        far.close();
        sites.forEach(site -> site.links().forEach(TcpProxy::close));
        if (cluster == null) {
            redis.close();
        } else {
            cluster.close();
        }
        super.close();
    }
}
