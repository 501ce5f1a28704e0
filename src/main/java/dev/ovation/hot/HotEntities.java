package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.HotMetrics.Lookup;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.QueryTimeoutException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Reads and changes hot entities, loading from Postgres what is missing. */
public final class HotEntities {

    private final RedisLink link;
    private final Fences fences;
    private final HotSettings settings;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final EntityLoads loads;
    private final UserLookups lookups;
    private final Failpoints failpoints;
    private final ReactScript reactScript;
    private final ReadScript readScript;

    HotEntities(
            RedisLink link,
            Fences fences,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            EntityLoads loads,
            UserLookups lookups,
            Failpoints failpoints) {
        this.link = link;
        this.fences = fences;
        this.settings = settings;
        this.metrics = metrics;
        this.times = times;
        this.loads = loads;
        this.lookups = lookups;
        this.failpoints = failpoints;
        this.reactScript = new ReactScript(settings);
        this.readScript = new ReadScript(settings);
    }

    /** Tells which namespaces are known; only those become labels of metrics. */
    public void labels(Predicate<String> known) {
        metrics.labels(known);
    }

    /**
     * Reads an entity, hot or just loaded.
     *
     * @param p its partition
     * @param viewer whose reactions are wanted; null for nobody's
     * @return empty when Redis cannot tell now: then Postgres must be asked
     */
    public Optional<EntityState> read(int p, EntityKey key, @Nullable String viewer) {
        var fence = fences.of(p);
        if (fence == null) {
            return Optional.empty();
        }
        var attempt = new Attempt(settings.lease(), settings.readPatience());
        try {
            do {
                var reply =
                        answer(
                                times.timed(
                                        "read",
                                        readScript.execute(
                                                link.requests(),
                                                p,
                                                fence,
                                                key,
                                                viewer,
                                                attempt.token(),
                                                attempt.stale())));
                switch (reply) {
                    case ReadScript.Reply.Hit hit -> {
                        metrics.lookup(key.namespace(), Lookup.HIT);
                        return Optional.of(
                                new EntityState(
                                        fence.epoch(), hit.version(), hit.counters(), hit.own()));
                    }
                    case ReadScript.Reply.Fenced _ -> {
                        lost(p, fence);
                        return Optional.empty();
                    }
                    case ReadScript.Reply.Miss miss -> {
                        if (attempt.holds(miss.holder())) {
                            return Optional.of(load(p, fence, key, viewer, attempt.token()));
                        }
                        if (loads.await(miss.holder())) {
                            attempt.loaded(settings.readPatience());
                        }
                    }
                    case ReadScript.Reply.UserMiss miss -> {
                        if (viewer != null && attempt.holds(miss.holder())) {
                            lookUp(p, fence, key, viewer, attempt.token());
                        }
                    }
                }
            } while (attempt.again());
            return Optional.empty();
        } catch (UnansweredException | RedisUnavailableException e) {
            return Optional.empty();
        }
    }

    /**
     * Sends a proposal once to the entity, which is loaded first when it is missing.
     *
     * @param patience how long one who loads the entity may be waited for
     * @return what the script says; {@code Miss} when the entity could not be loaded in time
     * @throws RedisUnavailableException when nothing was sent
     * @throws UnansweredException when it is not known whether the change was proposed
     */
    public ReactScript.Reply react(int p, Fence fence, Proposal proposal, Duration patience) {
        var attempt = new Attempt(settings.lease(), patience);
        var key = proposal.key();
        while (true) {
            var reply = answer(send(p, fence, proposal, attempt));
            failpoints.reached(Point.AFTER_SCRIPT);
            switch (reply) {
                case ReactScript.Reply.Miss miss -> {
                    if (attempt.holds(miss.holder())) {
                        // In one pipeline with the script that comes next.
                        var _ = loads.load(p, fence, key, proposal.user(), attempt.token());
                    } else if (loads.await(miss.holder())) {
                        attempt.loaded(Duration.ZERO);
                    }
                }
                case ReactScript.Reply.UserMiss miss -> {
                    if (attempt.holds(miss.holder())) {
                        lookUp(p, fence, key, proposal.user(), attempt.token());
                    }
                }
                case ReactScript.Reply.Fenced _ -> {
                    lost(p, fence);
                    return reply;
                }
                default -> {
                    metrics.lookup(key.namespace(), Lookup.HIT);
                    return reply;
                }
            }
            if (!attempt.again()) {
                return reply;
            }
        }
    }

    private CompletableFuture<ReactScript.Reply> send(
            int p, Fence fence, Proposal proposal, Attempt attempt) {
        return times.timed(
                "react",
                reactScript.execute(
                        link.requests(), p, fence, proposal, attempt.token(), attempt.stale()));
    }

    private EntityState load(
            int p, Fence fence, EntityKey key, @Nullable String viewer, String token) {
        var snapshot = loads.load(p, fence, key, viewer, token);
        List<String> own = viewer == null ? List.of() : snapshot.users().get(viewer);
        return new EntityState(
                snapshot.epoch(),
                snapshot.version(),
                snapshot.counters(),
                own == null ? List.of() : own);
    }

    private void lookUp(int p, Fence fence, EntityKey key, String user, String token) {
        metrics.lookup(key.namespace(), Lookup.USER_MISS);
        CompletableFuture<List<String>> found = lookups.lookup(p, fence, key, user, token);
        try {
            found.orTimeout(settings.lease().toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new QueryTimeoutException("the user was not looked up in time", e);
        }
    }

    private void lost(int p, Fence fence) {
        metrics.fenced();
        fences.lose(p, fence);
    }

    /** Waits for the answer of a script; the command's own time-out bounds it. */
    private <T> T answer(CompletableFuture<T> reply) {
        try {
            return reply.get(settings.commandTimeout().toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (RedisErrors.provesNothingChanged(cause)) {
                throw new RedisUnavailableException("Redis refused: " + cause.getMessage());
            }
            throw new UnansweredException(cause);
        } catch (TimeoutException e) {
            throw new UnansweredException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnansweredException(e);
        }
    }
}
