package dev.ovation.hot.link;

import dev.ovation.entity.Reasons;
import dev.ovation.hot.link.RedisConnections.Subscription;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connections to a Redis server: one for requests, one for the relay. A thread checks the
 * server of each connection when it is opened, after every interruption, and every 250 ms. The link
 * is up only while the answers name the same master. An unbroken connection alone proves nothing.
 */
public final class RedisLink {

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final long CHECK_MILLIS = 250;

    /**
     * Time-outs of a command after which new connections are opened. A connection does not break
     * when a host is replaced behind its address, nor when a master is demoted and keeps running.
     */
    private static final int HOPELESS = 8;

    private final String name;
    private final String title;
    private final Supplier<RedisClient> clients;
    private final Duration timeout;
    private final @Nullable Consumer<String> topology;
    private final Semaphore wake = new Semaphore(0);
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();

    private final RedisConnections connections = new RedisConnections();
    private final Reasons reasons = new Reasons();

    private volatile @Nullable Subscription subscription;
    private volatile @Nullable String incarnation;
    private volatile Instant downSince = Instant.now();
    private volatile boolean running;
    private @Nullable Thread watcher;

    /** Creates a link to a server that is no node of a Redis Cluster. */
    public RedisLink(Supplier<RedisClient> clients, Duration timeout) {
        this("", clients, timeout, null);
    }

    /**
     * Creates a link.
     *
     * @param name address of the node
     * @param topology receives the answer to {@code CLUSTER NODES} at each check, also while the
     *     node is a replica; null for a server that is no node of a Redis Cluster
     */
    public RedisLink(
            String name,
            Supplier<RedisClient> clients,
            Duration timeout,
            @Nullable Consumer<String> topology) {
        this.name = name;
        this.title = name.isEmpty() ? "Redis" : "Redis node " + name;
        this.clients = clients;
        this.timeout = timeout;
        this.topology = topology;
    }

    /** Starts to connect and to watch the server. */
    public synchronized void start() {
        running = true;
        var client = clients.get();
        client.addListener(
                new RedisConnectionStateAdapter() {
                    @Override
                    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                        if (incarnation != null) { // otherwise the reason is known already
                            down("a connection was lost");
                        }
                        wake.release();
                    }
                });
        watcher = Thread.ofPlatform().name("redis-watch").start(() -> watch(client));
    }

    /**
     * Subscribes to a channel, now and after every interruption.
     *
     * @param messages receives each message
     * @param begun runs after each start of the subscription, because earlier messages were missed
     */
    public void subscribe(String channel, Consumer<String> messages, Runnable begun) {
        subscription = new Subscription(channel, messages, begun);
        checkSoon();
    }

    /** Ends the subscription. */
    public void unsubscribe() {
        subscription = null;
        connections.closeSubscriber();
    }

    /** Has the server checked now, and not only after the interval. */
    public void checkSoon() {
        wake.release();
    }

    /** Adds a listener that runs after each change of the incarnation or of up and down. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Returns the incarnation of the master behind the link: its replication id, with a sign before
     * that of a node of a Redis Cluster; empty while the link is down.
     */
    public Optional<String> incarnation() {
        return Optional.ofNullable(incarnation);
    }

    /** Returns whether the server can be used. */
    public boolean isUp() {
        return incarnation != null;
    }

    /** Returns the start of the outage; without meaning while the link is up. */
    public Instant downSince() {
        return downSince;
    }

    /** Returns the reason of the outage; empty while the link is up, and during the first try. */
    public Optional<String> downBecause() {
        return reasons.newest();
    }

    /**
     * Returns the connection for requests.
     *
     * @throws RedisUnavailableException while the link is down
     */
    public RedisAsyncCommands<String, String> requests() {
        return commands(connections.requests());
    }

    /**
     * Returns the connection for the relay.
     *
     * @throws RedisUnavailableException while the link is down
     */
    public RedisAsyncCommands<String, String> relay() {
        return commands(connections.relay());
    }

    private RedisAsyncCommands<String, String> commands(
            @Nullable StatefulRedisConnection<String, String> connection) {
        if (incarnation == null || connection == null) {
            throw new RedisUnavailableException(title + " cannot be reached");
        }
        return connection.async();
    }

    private void watch(RedisClient client) {
        int failed = 0;
        long wellAt = System.nanoTime();
        while (running) {
            try {
                up(check(client));
                failed = 0;
            } catch (TimeoutException e) {
                // One late answer is no outage: a script, a fork, or this machine may be busy.
                if (++failed > 1) {
                    down("it does not answer in time");
                }
            } catch (Throwable e) {
                failed++;
                down(RedisReason.of(e));
            }
            if (failed == 0) {
                wellAt = System.nanoTime();
            } else if (System.nanoTime() - wellAt > HOPELESS * timeout.toNanos()) {
                connections.close();
                wellAt = System.nanoTime();
            }
            try {
                if (wake.tryAcquire(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private String check(RedisClient client) throws Exception {
        connections.open(client, subscription, timeout);
        var server = new RedisServerInfo(Objects.requireNonNull(connections.requests()), timeout);
        var other = new RedisServerInfo(Objects.requireNonNull(connections.relay()), timeout);
        if (topology != null) {
            topology.accept(server.clusterNodes());
        }
        String id = server.incarnation();
        if (!id.equals(other.incarnation())) {
            throw new IllegalStateException("two connections lead to two different servers");
        }
        String found = topology == null ? id : RedisServerInfo.NODE + id;
        if (!found.equals(incarnation)) {
            server.requireSafeEviction();
            if (topology == null) {
                server.requireNoCluster();
            }
        }
        return found;
    }

    private void up(String id) {
        String before = incarnation;
        if (!id.equals(before)) {
            incarnation = id;
            reasons.clear();
            LOG.info("{} is up, incarnation {}", title, id);
            listeners.forEach(Runnable::run);
        }
    }

    /** Logs the reason also when the link was never up, so that operators see why writes fail. */
    private void down(String reason) {
        if (!running) {
            return;
        }
        boolean wasUp = incarnation != null;
        if (wasUp) {
            downSince = Instant.now(); // first: readers that see the link down read this time
            incarnation = null;
        }
        if (reasons.add(reason)) {
            LOG.warn("{} is down: {}", title, reason);
        }
        if (wasUp) {
            listeners.forEach(Runnable::run);
        }
    }

    /** Ends the watch and the connections, quietly. */
    public synchronized void stop() {
        running = false;
        wake.release();
        try {
            if (watcher != null) {
                watcher.join(timeout.toMillis() * 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        incarnation = null;
        connections.close();
    }

    /** Returns whether the server is watched. */
    public boolean isRunning() {
        return running;
    }

    /** Returns the address of the node; empty without a Redis Cluster. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return title;
    }
}
