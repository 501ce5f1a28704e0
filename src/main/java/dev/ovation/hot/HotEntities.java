package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.HotMetrics.Lookup;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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
    private final ProposalRuns runs;
    private final HotRead.Tools reading;

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
        this.runs = new ProposalRuns(link, new ReactScript(settings), times);
        this.reading =
                new HotRead.Tools(
                        fences,
                        settings,
                        metrics,
                        loads,
                        lookups,
                        new ReadBatches(link, new ReadScript(settings), times));
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
        return begin(p, key, viewer, null).state();
    }

    /**
     * Reads the counters of many hot entities in one round trip.
     *
     * @param keys each once
     * @return those that are hot for certain, the others must be read one by one; empty when Redis
     *     cannot tell now: then Postgres must be asked
     */
    public Optional<Map<EntityKey, EntityState>> counts(
            Partitions partitions, Collection<EntityKey> keys) {
        try {
            var found = new HotCounts(fences, times).read(link.requests(), partitions, keys);
            found.keySet().forEach(key -> metrics.lookup(key.namespace(), Lookup.HIT));
            return Optional.of(found);
        } catch (RedisUnavailableException | UnansweredException e) {
            return Optional.empty();
        }
    }

    /**
     * Begins to look whether an entity is hot, as {@link #begin}; nothing is done to load it.
     *
     * @param known see there
     */
    public HotRead look(
            int p, EntityKey key, @Nullable String viewer, @Nullable EntityState known) {
        return new HotRead(reading, p, key, viewer, known, true);
    }

    /**
     * Begins to read, as {@link #read}, without waiting for an answer.
     *
     * @param known what the caller knows of the entity: while it is still that, Redis need not
     *     answer it again; or null
     */
    public HotRead begin(
            int p, EntityKey key, @Nullable String viewer, @Nullable EntityState known) {
        return new HotRead(reading, p, key, viewer, known, false);
    }

    /**
     * Sends a proposal once to the entity, which is loaded first when it is missing.
     *
     * @param patience how long one who loads the entity may be waited for, and then what comes next
     * @param next given what the script says, what the caller waits for next: it is woken by that
     *     alone
     * @return what the script says; {@code Miss} when the entity could not be loaded in time
     * @throws RedisUnavailableException when nothing was sent
     * @throws UnansweredException when it is not known whether the change was proposed
     */
    public ReactScript.Reply react(
            int p,
            Fence fence,
            Proposal proposal,
            Duration patience,
            Function<ReactScript.Reply, CompletableFuture<?>> next) {
        long end = System.nanoTime() + patience.toNanos();
        var attempt = new Attempt(settings.lease(), patience);
        var key = proposal.key();
        while (true) {
            var item = new ReactScript.Item(p, fence, proposal, attempt.token(), attempt.stale());
            var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            var reply = Replies.await(runs.send(item), next, left);
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
                        lookups.await(p, fence, key, proposal.user(), attempt.token());
                        attempt.loaded(Duration.ZERO); // before others make the user leave again
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

    private void lost(int p, Fence fence) {
        metrics.fenced();
        fences.lose(p, fence);
    }
}
