package dev.ovation.hot.link;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The connections of a link: for requests, for the relay, and for messages of other instances. */
final class RedisConnections {

    private volatile @Nullable StatefulRedisConnection<String, String> requests;
    private volatile @Nullable StatefulRedisConnection<String, String> relay;
    private volatile @Nullable StatefulRedisPubSubConnection<String, String> subscriber;

    /**
     * A subscription to a channel.
     *
     * @param messages receives each message
     * @param begun runs after each start of the subscription, because earlier messages were missed
     */
    record Subscription(String channel, Consumer<String> messages, Runnable begun) {}

    @Nullable StatefulRedisConnection<String, String> requests() {
        return requests;
    }

    @Nullable StatefulRedisConnection<String, String> relay() {
        return relay;
    }

    /** Opens the missing connections. */
    void open(RedisClient client, @Nullable Subscription wanted, Duration timeout)
            throws Exception {
        if (requests == null) {
            requests = client.connect(StringCodec.UTF8);
        }
        if (relay == null) {
            relay = client.connect(StringCodec.UTF8);
        }
        if (subscriber == null && wanted != null) {
            subscriber = connect(client, wanted, timeout);
        }
    }

    private StatefulRedisPubSubConnection<String, String> connect(
            RedisClient client, Subscription wanted, Duration timeout) throws Exception {
        StatefulRedisPubSubConnection<String, String> connection =
                client.connectPubSub(StringCodec.UTF8);
        connection.addListener(
                new RedisPubSubAdapter<>() {
                    @Override
                    public void message(String channel, String message) {
                        wanted.messages().accept(message);
                    }

                    @Override
                    public void subscribed(String channel, long count) {
                        wanted.begun().run();
                    }
                });
        try {
            connection
                    .async()
                    .subscribe(wanted.channel())
                    .toCompletableFuture()
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return connection;
        } catch (Exception e) {
            connection.close();
            throw e;
        }
    }

    /** Closes the connection for messages of other instances. */
    void closeSubscriber() {
        var before = subscriber;
        subscriber = null;
        if (before != null && before.isOpen()) {
            before.close();
        }
    }

    /** Closes all connections; {@link #open} opens new ones. */
    void close() {
        for (var connection : new StatefulRedisConnection<?, ?>[] {requests, relay, subscriber}) {
            if (connection != null && connection.isOpen()) {
                connection.close();
            }
        }
        requests = null;
        relay = null;
        subscriber = null;
    }
}
