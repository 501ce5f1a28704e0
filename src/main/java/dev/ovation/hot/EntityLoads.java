package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.HotMetrics.Lookup;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.ReleaseScript;
import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.Snapshots.Wanted;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** Loads entities from Postgres into Redis, each under a lease that the caller holds. */
final class EntityLoads {

    private final RedisLink link;
    private final LoadQueue<Wanted, EntitySnapshot> queue;
    private final HotSettings settings;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final Failpoints failpoints;
    private final InstallScript installScript;
    private final ReleaseScript releaseScript = new ReleaseScript();

    EntityLoads(
            RedisLink link,
            LoadQueue<Wanted, EntitySnapshot> queue,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            Failpoints failpoints) {
        this.link = link;
        this.queue = queue;
        this.settings = settings;
        this.metrics = metrics;
        this.times = times;
        this.failpoints = failpoints;
        this.installScript = new InstallScript(settings);
    }

    /**
     * Loads an entity. When it returns, the installation is sent, so that a script that is sent
     * afterwards runs after it. If it fails the lease is given back.
     *
     * @throws DataAccessException when Postgres could not be asked
     */
    EntitySnapshot load(int p, Fence fence, EntityKey key, @Nullable String viewer, String lease) {
        metrics.lookup(key.namespace(), Lookup.MISS);
        try {
            return queue.load(
                    lease,
                    new Wanted(p, key, viewer),
                    found -> {
                        failpoints.reached(Point.AFTER_LOAD_READ);
                        install(p, fence, key, found, lease);
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
     * @return false, at once, when there is none
     * @throws RuntimeException its failure
     */
    boolean await(String lease) {
        return queue.await(lease, settings.lease());
    }

    private void install(int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String lease) {
        failpoints.reached(Point.BEFORE_INSTALL);
        var sent = installScript.execute(link.requests(), p, fence, key, snapshot, lease);
        var _ =
                times.timed("install", sent)
                        .whenComplete((reply, _) -> metrics.load(key.namespace(), reply));
    }

    /** Else everybody would wait for one who gave up, until the lease ends by itself. */
    private void release(int p, EntityKey key, String lease) {
        try {
            var _ = times.timed("release", releaseScript.execute(link.requests(), p, key, lease));
        } catch (RedisUnavailableException e) {
            return; // so are its leases
        }
    }
}
