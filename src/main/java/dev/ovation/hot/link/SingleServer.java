package dev.ovation.hot.link;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** One Redis server, which holds all partitions. */
public final class SingleServer implements RedisServers {

    private final RedisLink link;
    private final List<RedisLink> all;

    public SingleServer(RedisLink link) {
        this.link = link;
        this.all = List.of(link);
    }

    @Override
    public RedisLink find(int p) {
        return link;
    }

    @Override
    public boolean holds(RedisLink other, int p) {
        return true;
    }

    @Override
    public <T> Map<RedisLink, List<T>> grouped(Collection<T> items, ToIntFunction<T> partition) {
        return Map.of(link, List.copyOf(items));
    }

    @Override
    public List<RedisLink> all() {
        return all;
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public boolean isMoving(int p) {
        return false;
    }

    @Override
    public void onChange(Runnable listener) {
        link.onChange(listener);
    }

    @Override
    public void checkSoon() {}

    @Override
    public void subscribe(String channel, Consumer<String> messages, Runnable begun) {
        link.subscribe(channel, messages, begun);
    }

    @Override
    public void publish(String channel, String message) {
        var _ = link.relay().publish(channel, message);
    }

    @Override
    public void start() {
        link.start();
    }

    @Override
    public void stop() {
        link.stop();
    }

    @Override
    public boolean isRunning() {
        return link.isRunning();
    }
}
