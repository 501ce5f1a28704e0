package dev.ovation.hot.load;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.UserOfEntity;
import dev.ovation.hot.filter.WantedFilters;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.InstallUsersScript;
import dev.ovation.hot.script.InstallUsersScript.Looked;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.UserStates;
import dev.ovation.store.snapshot.UserStates.UserState;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks up users of high-cardinality entities. Look-ups that arrive while one runs are collected
 * into the next one: one select for all, one installation for each entity.
 */
public final class UserLookups {

    private static final Logger LOG = LoggerFactory.getLogger(UserLookups.class);
    private static final int BATCH = 500;

    /** Users in one look-up from which on it counts as load. */
    private static final int LOAD = 4;

    private static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final UserStates states;
    private final PostgresBulkhead gate;
    private final RedisServers servers;
    private final InstallUsersScript script;
    private final Duration lease;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final Failpoints failpoints;
    private final WantedFilters filters;
    private final LinkedBlockingQueue<Lookup> queue = new LinkedBlockingQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();

    public UserLookups(
            UserStates states,
            PostgresBulkhead gate,
            RedisServers servers,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            Failpoints failpoints,
            WantedFilters filters) {
        this.states = states;
        this.gate = gate;
        this.servers = servers;
        this.script = new InstallUsersScript(settings);
        this.lease = settings.lease();
        this.metrics = metrics;
        this.times = times;
        this.failpoints = failpoints;
        this.filters = filters;
    }

    private record Lookup(
            LookupEntity place,
            String user,
            String token,
            boolean withTime,
            CompletableFuture<List<String>> result) {

        UserOfEntity userOfEntity() {
            return new UserOfEntity(place.key(), user);
        }
    }

    private record LookupEntity(int p, Fence fence, EntityKey key) {}

    /**
     * Looks up a user under a lease that the caller holds, and installs the result if the lease
     * still holds then. When the future completes, the installation is sent.
     *
     * @return the user's reactions, oldest first; fails when Postgres does
     */
    CompletableFuture<List<String>> lookup(
            int p, Fence fence, EntityKey key, String user, String token) {
        return lookup(p, fence, key, user, token, false);
    }

    private CompletableFuture<List<String>> lookup(
            int p, Fence fence, EntityKey key, String user, String token, boolean withTime) {
        var place = new LookupEntity(p, fence, key);
        var lookup = new Lookup(place, user, token, withTime, new CompletableFuture<>());
        queue.add(lookup);
        if (draining.compareAndSet(false, true)) {
            Thread.ofVirtual().name("user-lookups").start(this::drain);
        }
        return lookup.result();
    }

    /**
     * Looks up a user, as {@link #lookup}, and waits for the result, at most as long as a lease
     * lasts.
     *
     * @throws DataAccessException when Postgres could not be queried in time
     */
    public void await(int p, Fence fence, EntityKey key, String user, String token) {
        await(p, fence, key, user, token, false);
    }

    /**
     * Looks up a user and waits, as {@link #await}.
     *
     * @param withTime whether to install the time of the user's last reaction
     */
    public void await(
            int p, Fence fence, EntityKey key, String user, String token, boolean withTime) {
        metrics.lookup(key.namespace(), HotMetrics.LookupResult.USER_MISS);
        filters.lookedUp(p, key);
        try {
            lookup(p, fence, key, user, token, withTime)
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
     * Pauses under load for as long as this look-up took, so that the next one collects more users.
     */
    private static void rest(int users, long nanos) {
        if (users >= LOAD) {
            LockSupport.parkNanos(Math.min(nanos, LONGEST_REST_NANOS));
        }
    }

    private void resolve(List<Lookup> batch) {
        var users = batch.stream().map(Lookup::userOfEntity).distinct().toList();
        Map<UserOfEntity, UserState> found = gate.ask(() -> states.of(users));
        Map<UserOfEntity, Long> times = times(batch);
        failpoints.reached(Point.AFTER_LOAD_READ);
        var byPlace = new LinkedHashMap<LookupEntity, List<Lookup>>();
        batch.forEach(
                lookup ->
                        byPlace.computeIfAbsent(lookup.place(), _ -> new ArrayList<>())
                                .add(lookup));
        byPlace.forEach((place, lookups) -> install(place, lookups, found, times));
    }

    /** Reads times a moment later: a change meanwhile voids the lease of its user. */
    private Map<UserOfEntity, Long> times(List<Lookup> batch) {
        var users =
                batch.stream()
                        .filter(Lookup::withTime)
                        .map(Lookup::userOfEntity)
                        .distinct()
                        .toList();
        return users.isEmpty() ? Map.of() : gate.ask(() -> states.lastReactedAt(users));
    }

    private void install(
            LookupEntity place,
            List<Lookup> lookups,
            Map<UserOfEntity, UserState> found,
            Map<UserOfEntity, Long> lastReactedAt) {
        var looked =
                lookups.stream()
                        .map(
                                lookup ->
                                        new Looked(
                                                lookup.user(),
                                                lookup.token(),
                                                of(found, lookup).reactions(),
                                                lastReactedAt.get(lookup.userOfEntity())))
                        .toList();
        failpoints.reached(Point.BEFORE_INSTALL);
        try {
            long version = of(found, lookups.getFirst()).version(); // one for all users
            var sent =
                    script.execute(
                            servers.of(place.p()).requests(),
                            place.p(),
                            place.fence(),
                            place.key(),
                            version,
                            looked);
            var _ = times.timed("install_users", sent);
        } catch (RedisUnavailableException e) {
            LOG.debug("Looked-up users are not installed, because Redis is down");
        }
        // The installation is sent: scripts that are sent from now on run after it. If Redis does
        // not know the script yet, they miss once more. A refused installation fails no caller,
        // because the result is the committed state.
        lookups.forEach(lookup -> lookup.result().complete(of(found, lookup).reactions()));
    }

    private static UserState of(Map<UserOfEntity, UserState> found, Lookup lookup) {
        return Objects.requireNonNull(found.get(lookup.userOfEntity()));
    }
}
