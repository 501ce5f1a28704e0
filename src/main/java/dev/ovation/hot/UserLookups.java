package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.script.InstallUsersScript;
import dev.ovation.hot.script.InstallUsersScript.Looked;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.store.Snapshots.UserOfEntity;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks up users of crowded entities. Whoever comes while a look-up is under way is collected into
 * the next one: one select for all, one installation for each entity.
 */
final class UserLookups {

    private static final Logger LOG = LoggerFactory.getLogger(UserLookups.class);
    private static final int BATCH = 500;

    /** Users looked up together from which on it is load. */
    private static final int LOAD = 4;

    private static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Snapshots snapshots;
    private final PostgresGate gate;
    private final RedisLink link;
    private final InstallUsersScript script;
    private final Duration lease;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final Failpoints failpoints;
    private final LinkedBlockingQueue<Lookup> queue = new LinkedBlockingQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();

    UserLookups(
            Snapshots snapshots,
            PostgresGate gate,
            RedisLink link,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            Failpoints failpoints) {
        this.snapshots = snapshots;
        this.gate = gate;
        this.link = link;
        this.script = new InstallUsersScript(settings);
        this.lease = settings.lease();
        this.metrics = metrics;
        this.times = times;
        this.failpoints = failpoints;
    }

    private record Lookup(
            Place place, String user, String token, CompletableFuture<List<String>> result) {}

    private record Place(int p, Fence fence, EntityKey key) {}

    /**
     * Looks a user up under a lease that the caller holds, and installs what was found if the lease
     * still holds then. When it completes, the installation is sent.
     *
     * @return the user's reactions, oldest first; fails when Postgres does
     */
    CompletableFuture<List<String>> lookup(
            int p, Fence fence, EntityKey key, String user, String token) {
        var lookup = new Lookup(new Place(p, fence, key), user, token, new CompletableFuture<>());
        queue.add(lookup);
        if (draining.compareAndSet(false, true)) {
            Thread.ofVirtual().name("user-lookups").start(this::drain);
        }
        return lookup.result();
    }

    /**
     * Looks a user up, as {@link #lookup}, and waits for it, at most as long as a lease lasts.
     *
     * @throws DataAccessException when Postgres could not be asked in time
     */
    void await(int p, Fence fence, EntityKey key, String user, String token) {
        metrics.lookup(key.namespace(), HotMetrics.Lookup.USER_MISS);
        try {
            lookup(p, fence, key, user, token)
                    .orTimeout(lease.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new QueryTimeoutException("the user was not looked up in time", e);
        }
    }

    private void drain() {
        var batch = new ArrayList<Lookup>();
        do {
            while (queue.drainTo(batch, BATCH) > 0) {
                long start = System.nanoTime();
                batch.removeIf(lookup -> lookup.result().isDone()); // its caller gave up
                try {
                    if (!batch.isEmpty()) {
                        resolve(batch);
                    }
                } catch (Throwable e) {
                    batch.forEach(lookup -> lookup.result().completeExceptionally(e));
                }
                rest(batch.size(), System.nanoTime() - start);
                batch.clear();
            }
            draining.set(false);
        } while (!queue.isEmpty() && draining.compareAndSet(false, true));
    }

    /**
     * Under load the next look-up begins after as long again as this one took, and collects more.
     */
    private static void rest(int users, long nanos) {
        if (users >= LOAD) {
            LockSupport.parkNanos(Math.min(nanos, LONGEST_REST_NANOS));
        }
    }

    private void resolve(List<Lookup> batch) {
        var users =
                batch.stream()
                        .map(lookup -> new UserOfEntity(lookup.place().key(), lookup.user()))
                        .distinct()
                        .toList();
        Map<UserOfEntity, List<String>> found = gate.ask(() -> snapshots.users(users));
        failpoints.reached(Point.AFTER_LOAD_READ);
        var byPlace = new LinkedHashMap<Place, List<Lookup>>();
        batch.forEach(
                lookup ->
                        byPlace.computeIfAbsent(lookup.place(), _ -> new ArrayList<>())
                                .add(lookup));
        byPlace.forEach((place, lookups) -> install(place, lookups, found));
    }

    private void install(Place place, List<Lookup> lookups, Map<UserOfEntity, List<String>> found) {
        var looked =
                lookups.stream()
                        .map(lookup -> new Looked(lookup.user(), lookup.token(), of(found, lookup)))
                        .toList();
        failpoints.reached(Point.BEFORE_INSTALL);
        try {
            var sent =
                    script.execute(link.requests(), place.p(), place.fence(), place.key(), looked);
            var _ = times.timed("install_users", sent);
        } catch (RedisUnavailableException e) {
            LOG.debug("Users of a crowd are not installed without Redis");
        }
        // It is sent: scripts that are sent from now on run after it, unless Redis does not know it
        // yet; then they miss once more. One that is refused fails nobody, because what was found
        // is the committed truth.
        lookups.forEach(lookup -> lookup.result().complete(of(found, lookup)));
    }

    private static List<String> of(Map<UserOfEntity, List<String>> found, Lookup lookup) {
        return found.getOrDefault(new UserOfEntity(lookup.place().key(), lookup.user()), List.of());
    }
}
