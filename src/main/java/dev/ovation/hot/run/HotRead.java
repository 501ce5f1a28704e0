package dev.ovation.hot.run;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.load.EntityLoads;
import dev.ovation.hot.load.HotMetrics;
import dev.ovation.hot.load.HotMetrics.LookupResult;
import dev.ovation.hot.load.LeaseWait;
import dev.ovation.hot.load.UserLookups;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.EntityState;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.trace.TraceSpan;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One read of one entity, with all its tries; see {@code HotEntities.read}. The read is sent when
 * its caller waits. Reads of many entities that start one after the other therefore make one round
 * trip.
 */
public final class HotRead {

    private static final Logger LOG = LoggerFactory.getLogger(HotRead.class);

    private final ReadDependencies tools;
    private final int p;
    private final EntityKey key;
    private final @Nullable String viewer;
    private final @Nullable EntityState known;
    private final @Nullable Fence fence;
    private final boolean looking;
    private final LeaseWait attempt;
    private @Nullable CompletableFuture<ReadScript.Reply> sent;

    /** Collaborators of a read. */
    public record ReadDependencies(
            Fences fences,
            HotSettings settings,
            HotMetrics metrics,
            EntityLoads loads,
            UserLookups lookups,
            ReadBatches batches) {}

    /**
     * Starts the read.
     *
     * @param looking whether to take no lease, and so not to load a missing entity
     */
    public HotRead(
            ReadDependencies tools,
            int p,
            EntityKey key,
            @Nullable String viewer,
            @Nullable EntityState known,
            boolean looking) {
        this.tools = tools;
        this.p = p;
        this.key = key;
        this.viewer = viewer;
        this.known = known;
        this.looking = looking;
        this.fence = tools.fences().of(p);
        this.attempt = new LeaseWait(tools.settings().lease(), tools.settings().leaseWait());
        this.sent = fence == null ? null : ask(fence);
    }

    /** Result of a look. */
    public enum ReadProgress {
        /** The answer has the state; the read needs no further wait. */
        HOT,
        /** The entity must be loaded. */
        MISSING,
        /** Redis cannot answer now. */
        UNKNOWN
    }

    /** Waits for the first answer. */
    public ReadProgress look() {
        try {
            if (sent == null) {
                return ReadProgress.UNKNOWN;
            }
            return switch (await(sent)) {
                case ReadScript.Reply.Hit _, ReadScript.Reply.KnownState _ -> ReadProgress.HOT;
                case ReadScript.Reply.Miss _, ReadScript.Reply.UserMiss _ -> ReadProgress.MISSING;
                case ReadScript.Reply.Fenced _, ReadScript.Reply.Failed _ -> ReadProgress.UNKNOWN;
            };
        } catch (UnansweredException | RedisUnavailableException e) {
            return ReadProgress.UNKNOWN;
        }
    }

    /** Returns the state; empty when Redis cannot answer now. */
    public Optional<EntityState> state() {
        if (fence == null) {
            return Optional.empty();
        }
        try {
            while (sent != null) {
                switch (await(sent)) {
                    case ReadScript.Reply.Hit hit -> {
                        tools.metrics().lookup(key.namespace(), LookupResult.HIT);
                        return Optional.of(
                                new EntityState(
                                        fence.epoch(),
                                        hit.version(),
                                        hit.op(),
                                        hit.people(),
                                        hit.counters(),
                                        hit.own(),
                                        hit.locked()));
                    }
                    case ReadScript.Reply.KnownState same -> {
                        tools.metrics().lookup(key.namespace(), LookupResult.HIT);
                        return Optional.ofNullable(known).map(it -> it.seenWith(same.own()));
                    }
                    case ReadScript.Reply.Failed failed -> {
                        LOG.warn("An entity in Redis cannot be read: {}", failed.error());
                        return Optional.empty();
                    }
                    case ReadScript.Reply.Fenced _ -> {
                        tools.metrics().fenced();
                        tools.fences().lose(p, fence);
                        return Optional.empty();
                    }
                    case ReadScript.Reply.Miss miss -> {
                        if (attempt.holds(miss.holder())) {
                            return Optional.of(load(fence));
                        }
                        if (awaitLoad(miss.holder())) {
                            attempt.loaded(tools.settings().leaseWait());
                        }
                    }
                    case ReadScript.Reply.UserMiss miss -> {
                        if (viewer != null && attempt.holds(miss.holder())) {
                            try (var _ = TraceSpan.part("look up")) {
                                tools.lookups().await(p, fence, key, viewer, attempt.token());
                            }
                        }
                    }
                }
                sent = attempt.again() ? ask(fence) : null;
            }
            return Optional.empty();
        } catch (UnansweredException | RedisUnavailableException e) {
            return Optional.empty();
        }
    }

    private CompletableFuture<ReadScript.Reply> ask(Fence current) {
        String op = known == null || known.epoch() != current.epoch() ? "" : known.op();
        String token = looking ? "" : attempt.token();
        return tools.batches()
                .add(new ReadScript.ReadItem(p, current, key, viewer, token, attempt.stale(), op));
    }

    private ReadScript.Reply await(CompletableFuture<ReadScript.Reply> reply) {
        tools.batches().send();
        return Replies.await(reply);
    }

    private boolean awaitLoad(String holder) {
        try (var _ = TraceSpan.part("load")) {
            return tools.loads().await(holder);
        }
    }

    private EntityState load(Fence current) {
        EntitySnapshot snapshot;
        try (var _ = TraceSpan.part("load")) {
            snapshot = tools.loads().load(p, current, key, viewer, attempt.token());
        }
        List<String> own = viewer == null ? List.of() : snapshot.users().get(viewer);
        return new EntityState(
                snapshot.epoch(),
                snapshot.version(),
                snapshot.op(),
                snapshot.people(),
                snapshot.counters(),
                own == null ? List.of() : own,
                snapshot.lock() != null);
    }
}
