package dev.ovation.hot;

import dev.ovation.hot.link.RedisErrors;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.script.SweepScript;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Removes stale keys from Redis in the background; readers ignore them. */
public final class StaleEpochSweeper {

    private static final Logger LOG = LoggerFactory.getLogger(StaleEpochSweeper.class);
    private static final int PAGE = 500;

    private final RedisServers servers;
    private final SweepScript script = new SweepScript();
    private final ScriptTimes times;
    private final long timeoutMillis;
    private final Set<RedisLink> wanted = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();

    StaleEpochSweeper(RedisServers servers, HotSettings settings, ScriptTimes times) {
        this.times = times;
        this.servers = servers;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    /** Schedules a sweep of all partitions of a server; several calls cause one sweep. */
    public void sweepSoon(RedisLink link) {
        wanted.add(link);
        if (running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("old-marks").start(this::run);
        }
    }

    private void run() {
        do {
            for (RedisLink link : List.copyOf(wanted)) {
                wanted.remove(link);
                try {
                    sweep(link);
                } catch (Exception e) {
                    LOG.warn("Sweep of stale keys failed, will retry: {}", e.toString());
                }
            }
            running.set(false);
        } while (!wanted.isEmpty() && running.compareAndSet(false, true));
    }

    private void sweep(RedisLink link) throws Exception {
        var args = ScanArgs.Builder.matches("{*}:[cub]:*").limit(PAGE);
        ScanCursor cursor = ScanCursor.INITIAL;
        int removed = 0;
        do {
            KeyScanCursor<String> page =
                    link.relay()
                            .scan(cursor, args)
                            .toCompletableFuture()
                            .get(timeoutMillis, TimeUnit.MILLISECONDS);
            for (var entry : byPartition(link, page.getKeys()).entrySet()) {
                removed += sweep(link, entry.getKey(), entry.getValue());
            }
            cursor = page;
        } while (!cursor.isFinished());
        if (removed > 0) {
            LOG.info("Removed {} keys of older epochs", removed);
        }
    }

    /**
     * Returns how many keys are removed. A partition that is being moved costs only its own keys.
     */
    private int sweep(RedisLink link, int p, List<String> keys) throws Exception {
        try {
            return times.timed("sweep", script.execute(link.relay(), p, keys))
                    .get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!RedisErrors.isOfASlot(e.getCause())) {
                throw e;
            }
            LOG.debug("Keys of partition {} are not swept: {}", p, e.toString());
            return 0;
        }
    }

    /** Leaves out keys that a node of a cluster keeps without holding their partition. */
    private Map<Integer, List<String>> byPartition(RedisLink link, List<String> keys) {
        var byPartition = new HashMap<Integer, List<String>>();
        for (String key : keys) {
            int p = RedisSchema.partition(key);
            if (p >= 0 && servers.holds(link, p)) {
                byPartition.computeIfAbsent(p, _ -> new ArrayList<>()).add(key);
            }
        }
        return byPartition;
    }
}
