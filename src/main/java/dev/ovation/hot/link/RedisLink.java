package dev.ovation.hot.link;

import dev.ovation.entity.Reasons;
import dev.ovation.hot.link.RedisConnections.Subscription;
import dev.ovation.start.StartPhase;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

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
 * The connections to Redis: one for requests, one for the relay. A thread checks the server of each
 * connection when it is opened, after every interruption, and every 250 ms. The link is up only
 * while the answers name the same master. An unbroken connection alone proves nothing.
 */
public final class RedisLink implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final long CHECK_MILLIS = 250;

    /**
     * Time-outs of a command after which new connections are opened. A connection does not break
     * when a host is replaced behind its address, nor when a master is demoted and keeps running.
     */
    private static final int HOPELESS = 8;

    private final Supplier<RedisClient> clients;
    private final Duration timeout;
    private final Semaphore wake = new Semaphore(0);
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();

    private final RedisConnections connections = new RedisConnections();
    private final Reasons reasons = new Reasons();

    private volatile @Nullable Subscription subscription;
    private volatile @Nullable String incarnation;
    private volatile Instant downSince = Instant.now();
    private volatile boolean running;
    private @Nullable Thread watcher;

    public RedisLink(Supplier<RedisClient> clients, Duration timeout) {
        this.clients = clients;
        this.timeout = timeout;
    }

    /** Starts to connect and to watch the server. */
    @Override
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
        wake.release();
    }

    /** Adds a listener that runs after each change of the incarnation or of up and down. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns the replication id of the master behind the link; empty while it is down. */
    public Optional<String> incarnation() {
        return Optional.ofNullable(incarnation);
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
            throw new RedisUnavailableException("Redis cannot be reached");
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
        String id = server.incarnation();
        if (!id.equals(other.incarnation())) {
            throw new IllegalStateException("two connections lead to two different servers");
        }
        if (!id.equals(incarnation)) {
            server.requireSafeEviction();
            server.requireNoCluster();
        }
        return id;
    }

    private void up(String id) {
        String before = incarnation;
        if (!id.equals(before)) {
            incarnation = id;
            reasons.clear();
            LOG.info("Redis is up, incarnation {}", id);
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
            LOG.warn("Redis is down: {}", reason);
        }
        if (wasUp) {
            listeners.forEach(Runnable::run);
        }
    }

    /** Stops after the users of the link, and quietly before its client. */
    @Override
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

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return StartPhase.REDIS;
    }
}
