package dev.ovation.configuration.version;

import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.ConfigureScript;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;

import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Publishes a version to every partition, so that no instance writes by older rules. */
@Component
public final class VersionPublisher {

    private static final long PAUSE_MILLIS = 50;
    private static final long TIMEOUT_MILLIS = 2000;

    private final RedisServers servers;
    private final PartitionTable partitions;
    private final ScriptTimes times;
    private final ConfigureScript script = new ConfigureScript();

    public VersionPublisher(RedisServers servers, PartitionTable partitions, ScriptTimes times) {
        this.times = times;
        this.servers = servers;
        this.partitions = partitions;
    }

    /**
     * Publishes to all partitions, and repeats for partitions in recovery.
     *
     * @param version a committed version
     * @return whether all partitions have it within {@code patience}
     */
    public boolean publish(long version, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!isPublished(version)) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Returns the version that Redis has; empty when Redis does not answer. */
    public OptionalLong publishedVersion() {
        try {
            String version =
                    servers.of(0)
                            .requests()
                            .hget(RedisSchema.meta(0), "config")
                            .toCompletableFuture()
                            .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            return version == null
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseLong(version));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } catch (Exception e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns whether a partition has the version in the epoch that Postgres names afterwards. A
     * later epoch opens with the version that is the newest then.
     */
    private boolean isPublished(long version) {
        try {
            int count = partitions.all().size();
            var replies = new ArrayList<CompletableFuture<OptionalLong>>();
            for (int p = 0; p < count; p++) {
                replies.add(
                        times.timed(
                                "configure", script.execute(servers.of(p).requests(), p, version)));
            }
            var epochs = new ArrayList<OptionalLong>();
            for (var reply : replies) {
                epochs.add(reply.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
            }
            List<PartitionRow> rows = partitions.all();
            return rows.stream()
                    .allMatch(row -> epochs.get(row.p()).equals(OptionalLong.of(row.epoch())));
        } catch (RedisUnavailableException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception e) {
            return false;
        }
    }
}
