package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.script.InstallUsersScript;
import dev.ovation.hot.script.InstallUsersScript.Looked;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.store.Snapshots.UserOfEntity;

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

/**
 * Looks up users of crowded entities. Whoever comes while a look-up is under way is collected into
 * the next one: one select for all, one installation for each entity.
 */
final class UserLookups {

    private static final int BATCH = 500;

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
     * still holds then.
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
                batch.removeIf(lookup -> lookup.result().isDone()); // its caller gave up
                try {
                    if (!batch.isEmpty()) {
                        resolve(batch);
                    }
                } catch (Throwable e) {
                    batch.forEach(lookup -> lookup.result().completeExceptionally(e));
                }
                batch.clear();
            }
            draining.set(false);
        } while (!queue.isEmpty() && draining.compareAndSet(false, true));
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
        CompletableFuture<Integer> installed;
        failpoints.reached(Point.BEFORE_INSTALL);
        try {
            installed =
                    times.timed(
                            "install_users",
                            script.execute(
                                    link.requests(),
                                    place.p(),
                                    place.fence(),
                                    place.key(),
                                    looked));
        } catch (RedisUnavailableException e) {
            installed = CompletableFuture.failedFuture(e);
        }
        // A refused installation fails nobody: what was found is the committed truth.
        var _ =
                installed.whenComplete(
                        (_, _) ->
                                lookups.forEach(
                                        lookup -> lookup.result().complete(of(found, lookup))));
    }

    private static List<String> of(Map<UserOfEntity, List<String>> found, Lookup lookup) {
        return found.getOrDefault(new UserOfEntity(lookup.place().key(), lookup.user()), List.of());
    }
}
