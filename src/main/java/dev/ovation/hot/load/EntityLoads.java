package dev.ovation.hot.load;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.load.HotMetrics.LookupResult;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.ReleaseScript;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots.Wanted;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** Loads entities from Postgres into Redis, each under a lease that the caller holds. */
public final class EntityLoads {

    private final RedisServers servers;
    private final LoadQueue<Wanted, EntitySnapshot> queue;
    private final HotSettings settings;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final Failpoints failpoints;
    private final InstallScript installScript;
    private final ReleaseScript releaseScript = new ReleaseScript();

    public EntityLoads(
            RedisServers servers,
            LoadQueue<Wanted, EntitySnapshot> queue,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            Failpoints failpoints) {
        this.servers = servers;
        this.queue = queue;
        this.settings = settings;
        this.metrics = metrics;
        this.times = times;
        this.failpoints = failpoints;
        this.installScript = new InstallScript(settings);
    }

    /**
     * Loads an entity. When the method returns, the installation is sent, so that a script that is
     * sent afterwards runs after it. A load that fails releases the lease.
     *
     * @throws DataAccessException when Postgres could not be queried
     */
    public EntitySnapshot load(
            int p, Fence fence, EntityKey key, @Nullable String viewer, String lease) {
        return load(p, fence, key, viewer, lease, false);
    }

    /**
     * Loads an entity, as {@link #load}.
     *
     * @param withTimes whether to install the time of each user's last reaction
     * @throws DataAccessException when Postgres could not be queried
     */
    public EntitySnapshot load(
            int p,
            Fence fence,
            EntityKey key,
            @Nullable String viewer,
            String lease,
            boolean withTimes) {
        metrics.lookup(key.namespace(), LookupResult.MISS);
        try {
            return queue.load(
                    lease,
                    new Wanted(p, key, viewer),
                    found -> {
                        failpoints.reached(Point.AFTER_LOAD_READ);
                        install(p, fence, key, withTimes ? found : found.withoutTimes(), lease);
                    });
        } catch (RuntimeException | Error e) {
            if (e instanceof DataAccessException) {
                metrics.loadRefused(key.namespace());
            }
            release(p, key, lease);
            throw e;
        }
    }

    /**
     * Waits for another request of this instance that loads under this lease.
     *
     * @return false, at once, when no request does
     * @throws RuntimeException the failure of that load
     */
    public boolean await(String lease) {
        return queue.await(lease, settings.lease());
    }

    private void install(int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String lease) {
        failpoints.reached(Point.BEFORE_INSTALL);
        var sent = installScript.execute(servers.of(p).requests(), p, fence, key, snapshot, lease);
        var _ =
                times.timed("install", sent)
                        .whenComplete((reply, _) -> metrics.load(key.namespace(), reply));
    }

    /** Releases the lease of a failed load; otherwise all readers would wait until it expires. */
    private void release(int p, EntityKey key, String lease) {
        try {
            var _ =
                    times.timed(
                            "release",
                            releaseScript.execute(servers.of(p).requests(), p, key, lease));
        } catch (RedisUnavailableException e) {
            return; // the leases are lost as well
        }
    }
}
