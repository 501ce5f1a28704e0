package dev.ovation.hot.link;

import dev.ovation.start.StartPhase;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The Redis servers of the deployment: one, or the masters of a Redis Cluster. Each partition is on
 * one of them. Where it is, is a hint: the fence of a script decides whether it runs there.
 */
public interface RedisServers extends SmartLifecycle {

    /** Returns the link to the server that holds a partition; null while none is known to. */
    @Nullable RedisLink find(int p);

    /**
     * Returns the link to the server that holds a partition.
     *
     * @throws RedisUnavailableException while none is known to hold it
     */
    default RedisLink of(int p) {
        var link = find(p);
        if (link == null) {
            throw new RedisUnavailableException(
                    "no node of the Redis Cluster holds partition " + p);
        }
        return link;
    }

    /** Returns whether a server holds a partition, as far as is known; any number is one. */
    boolean holds(RedisLink link, int p);

    /**
     * Returns items by the server that holds their partition. Items without a known server are left
     * out.
     */
    default <T> Map<RedisLink, List<T>> grouped(Collection<T> items, ToIntFunction<T> partition) {
        var groups = new LinkedHashMap<RedisLink, List<T>>();
        for (T item : items) {
            var link = find(partition.applyAsInt(item));
            if (link != null) {
                groups.computeIfAbsent(link, _ -> new ArrayList<>()).add(item);
            }
        }
        return groups;
    }

    /** Returns the links to all servers. */
    List<RedisLink> all();

    /** Returns whether these are nodes of a Redis Cluster. */
    boolean isCluster();

    /**
     * Returns whether the keys of a partition are being moved to another server. Its epoch must
     * end, because a key that was moved away may come back older than the others.
     */
    boolean isMoving(int p);

    /** Returns whether any server can be used. */
    default boolean isUp() {
        return all().stream().anyMatch(RedisLink::isUp);
    }

    /** Adds a listener that runs after each change of a server, and of what each holds. */
    void onChange(Runnable listener);

    /** Has the servers checked soon which partitions they hold. */
    void checkSoon();

    /**
     * Subscribes to a channel on one of the servers, now and after every interruption.
     *
     * @param messages receives each message
     * @param begun runs after each start of the subscription, because earlier messages were missed
     */
    void subscribe(String channel, Consumer<String> messages, Runnable begun);

    /**
     * Sends a message to the subscribers on all servers.
     *
     * @throws RedisUnavailableException while no server can be used
     */
    void publish(String channel, String message);

    @Override
    default int getPhase() {
        return StartPhase.REDIS;
    }
}
