package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.load.EntityLoads;
import dev.ovation.hot.load.HotMetrics;
import dev.ovation.hot.load.HotMetrics.LookupResult;
import dev.ovation.hot.load.LeaseWait;
import dev.ovation.hot.load.UserLookups;
import dev.ovation.hot.run.HotCounts;
import dev.ovation.hot.run.HotCounts.CountsRead;
import dev.ovation.hot.run.HotRead;
import dev.ovation.hot.run.ProposalRuns;
import dev.ovation.hot.run.ReadBatches;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.EntityState;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.OwnEvents;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.trace.TraceSpan;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads and changes hot entities. It loads missing ones from Postgres. */
public final class HotEntities {

    private final RedisServers servers;
    private final Fences fences;
    private final HotSettings settings;
    private final HotMetrics metrics;
    private final ScriptTimes times;
    private final EntityLoads loads;
    private final UserLookups lookups;
    private final Failpoints failpoints;
    private final ProposalRuns runs;
    private final HotRead.ReadDependencies reading;
    private volatile OwnEvents events = (_, _, _, _) -> {};

    HotEntities(
            RedisServers servers,
            Fences fences,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            EntityLoads loads,
            UserLookups lookups,
            FilterMetrics filters,
            Failpoints failpoints) {
        this.servers = servers;
        this.fences = fences;
        this.settings = settings;
        this.metrics = metrics;
        this.times = times;
        this.loads = loads;
        this.lookups = lookups;
        this.failpoints = failpoints;
        this.runs =
                new ProposalRuns(
                        servers,
                        new ReactScript(settings, filters),
                        times,
                        (p, epoch, seq, event) -> events.proposed(p, epoch, seq, event),
                        failpoints);
        this.reading =
                new HotRead.ReadDependencies(
                        fences,
                        settings,
                        metrics,
                        loads,
                        lookups,
                        new ReadBatches(servers, new ReadScript(settings, filters), times));
    }

    /** Sets the listener for the events that this instance proposes from now on. */
    public void onProposed(OwnEvents listener) {
        this.events = listener;
    }

    /** Sets the known namespaces; only these become labels of metrics. */
    public void labels(Predicate<String> known) {
        metrics.labels(known);
    }

    /**
     * Reads an entity, which is loaded when it is missing.
     *
     * @param p its partition
     * @param viewer user whose reactions to return; null for none
     * @return empty when Redis cannot answer now; the caller then queries Postgres
     */
    public Optional<EntityState> read(int p, EntityKey key, @Nullable String viewer) {
        return begin(p, key, viewer, null).state();
    }

    /**
     * Reads the counters of many hot entities in one round trip.
     *
     * @param keys each once
     * @return the entities that are certainly hot; the caller reads the others one by one. Empty
     *     when Redis cannot answer now; the caller then queries Postgres
     */
    public Optional<Map<EntityKey, EntityState>> counts(
            Partitions partitions, Collection<EntityKey> keys) {
        var counts = new HotCounts(fences, times);
        var reads = new ArrayList<CountsRead>();
        servers.grouped(keys, partitions::of)
                .forEach(
                        (link, its) -> {
                            try {
                                reads.add(counts.begin(link.requests(), partitions, its));
                            } catch (RedisUnavailableException e) {
                                // its entities are read one by one, and then from Postgres
                            }
                        });
        var found = new HashMap<EntityKey, EntityState>();
        int failed = 0;
        for (CountsRead read : reads) {
            try {
                found.putAll(read.states());
            } catch (RedisUnavailableException | UnansweredException e) {
                failed++;
            }
        }
        if (failed == reads.size()) {
            return Optional.empty();
        }
        found.keySet().forEach(key -> metrics.lookup(key.namespace(), LookupResult.HIT));
        return Optional.of(found);
    }

    /**
     * Starts to check whether an entity is hot, as {@link #begin}, without loading it.
     *
     * @param known see {@link #begin}
     */
    public HotRead look(
            int p, EntityKey key, @Nullable String viewer, @Nullable EntityState known) {
        return new HotRead(reading, p, key, viewer, known, true);
    }

    /**
     * Starts to read, as {@link #read}, without waiting for an answer.
     *
     * @param known state of the entity that the caller knows, or null; while it is unchanged, Redis
     *     need not answer it again
     */
    public HotRead begin(
            int p, EntityKey key, @Nullable String viewer, @Nullable EntityState known) {
        return new HotRead(reading, p, key, viewer, known, false);
    }

    /**
     * Sends a proposal once to the entity, which is loaded first when it is missing.
     *
     * @param patience bound of the wait for another loader, and then of the wait for {@code next}
     * @param next returns, for the script's reply, the future that the caller waits for next; only
     *     this future wakes the caller
     * @return the script's reply; {@code Miss} when the entity could not be loaded in time
     * @throws RedisUnavailableException when nothing was sent
     * @throws UnansweredException when it is unknown whether the change was proposed
     */
    public ReactScript.Reply react(
            int p,
            Fence fence,
            Proposal proposal,
            Duration patience,
            Function<ReactScript.Reply, CompletableFuture<?>> next) {
        long end = System.nanoTime() + patience.toNanos();
        var attempt = new LeaseWait(settings.lease(), patience);
        var key = proposal.key();
        boolean withTimes = proposal.rules().timesOfUsers();
        boolean lookedUp = false;
        while (true) {
            var item =
                    new ReactScript.ReactItem(p, fence, proposal, attempt.token(), attempt.stale());
            var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            var reply = Replies.await(runs.send(item), next, left);
            failpoints.reached(Point.AFTER_SCRIPT);
            switch (reply) {
                case ReactScript.Reply.Miss miss -> {
                    if (attempt.holds(miss.holder())) {
                        // In one pipeline with the script that comes next.
                        try (var _ = TraceSpan.part("load")) {
                            var _ =
                                    loads.load(
                                            p,
                                            fence,
                                            key,
                                            proposal.user(),
                                            attempt.token(),
                                            withTimes);
                        }
                    } else if (awaitLoad(miss.holder())) {
                        attempt.loaded(Duration.ZERO);
                    }
                }
                case ReactScript.Reply.UserMiss miss -> {
                    if (attempt.holds(miss.holder())) {
                        try (var _ = TraceSpan.part("look up")) {
                            lookups.await(
                                    p, fence, key, proposal.user(), attempt.token(), withTimes);
                        }
                        if (!lookedUp) {
                            attempt.loaded(Duration.ZERO); // before others evict this user again
                            lookedUp = true;
                        }
                    }
                }
                case ReactScript.Reply.Fenced _ -> {
                    lost(p, fence);
                    return reply;
                }
                default -> {
                    metrics.lookup(key.namespace(), LookupResult.HIT);
                    return reply;
                }
            }
            if (!attempt.again()) {
                return reply;
            }
        }
    }

    private boolean awaitLoad(String holder) {
        try (var _ = TraceSpan.part("load")) {
            return loads.await(holder);
        }
    }

    private void lost(int p, Fence fence) {
        metrics.fenced();
        fences.lose(p, fence);
    }
}
