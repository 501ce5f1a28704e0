package dev.ovation.hot.run;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Runs of a script, for each server its own: a run is one command, and a server that hangs delays
 * only the items of its own partitions.
 *
 * @param <I> an item
 * @param <A> the answer to an item
 */
final class RunsByServer<I, A> {

    private final RedisServers servers;
    private final Function<RedisLink, SharedRuns<I, A>> runs;

    /** Those of servers that left a cluster stay: an item may be waiting in them. */
    private final Map<RedisLink, SharedRuns<I, A>> all = new ConcurrentHashMap<>();

    RunsByServer(RedisServers servers, Function<RedisLink, SharedRuns<I, A>> runs) {
        this.servers = servers;
        this.runs = runs;
    }

    /** Returns the runs of the server that holds a partition; null while none is known to. */
    @Nullable SharedRuns<I, A> of(int p) {
        var link = servers.find(p);
        if (link == null) {
            return null;
        }
        var known = all.get(link);
        return known == null ? all.computeIfAbsent(link, runs) : known;
    }

    /** Sends the waiting items of all servers, see {@link SharedRuns#send}. */
    void send() {
        all.values().forEach(SharedRuns::send);
    }

    /** The failure of an item without a server; it was not sent. */
    static RedisUnavailableException noServer() {
        return new RedisUnavailableException("no server holds the partition");
    }
}
