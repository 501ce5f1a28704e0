package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.HotMetrics.Lookup;
import dev.ovation.hot.script.ReadScript;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One read of one entity, with all its tries; see {@link HotEntities#read}. It is sent when
 * somebody waits, so that reads of many entities, begun one after the other, make one round trip.
 */
public final class HotRead {

    private static final Logger LOG = LoggerFactory.getLogger(HotRead.class);

    private final Tools tools;
    private final int p;
    private final EntityKey key;
    private final @Nullable String viewer;
    private final @Nullable EntityState known;
    private final @Nullable Fence fence;
    private final boolean looking;
    private final Attempt attempt;
    private @Nullable CompletableFuture<ReadScript.Reply> sent;

    /** What a read works with. */
    record Tools(
            Fences fences,
            HotSettings settings,
            HotMetrics metrics,
            EntityLoads loads,
            UserLookups lookups,
            ReadBatches batches) {}

    /**
     * Begins.
     *
     * @param looking whether to take no lease, and so not to load what is missing
     */
    HotRead(
            Tools tools,
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
        this.attempt = new Attempt(tools.settings().lease(), tools.settings().readPatience());
        this.sent = fence == null ? null : ask(fence);
    }

    /** What a look shows. */
    public enum Look {
        /** Nothing else is to wait for. */
        HOT,
        /** It is to be loaded. */
        MISSING,
        /** Redis cannot tell now. */
        UNKNOWN
    }

    /** Waits for the first answer. */
    public Look look() {
        try {
            if (sent == null) {
                return Look.UNKNOWN;
            }
            return switch (await(sent)) {
                case ReadScript.Reply.Hit _, ReadScript.Reply.Same _ -> Look.HOT;
                case ReadScript.Reply.Miss _, ReadScript.Reply.UserMiss _ -> Look.MISSING;
                case ReadScript.Reply.Fenced _, ReadScript.Reply.Failed _ -> Look.UNKNOWN;
            };
        } catch (UnansweredException | RedisUnavailableException e) {
            return Look.UNKNOWN;
        }
    }

    /** Returns what was read; empty when Redis cannot tell now. */
    public Optional<EntityState> state() {
        if (fence == null) {
            return Optional.empty();
        }
        try {
            while (sent != null) {
                switch (await(sent)) {
                    case ReadScript.Reply.Hit hit -> {
                        tools.metrics().lookup(key.namespace(), Lookup.HIT);
                        return Optional.of(
                                new EntityState(
                                        fence.epoch(),
                                        hit.version(),
                                        hit.op(),
                                        hit.counters(),
                                        hit.own()));
                    }
                    case ReadScript.Reply.Same same -> {
                        tools.metrics().lookup(key.namespace(), Lookup.HIT);
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
                        if (tools.loads().await(miss.holder())) {
                            attempt.loaded(tools.settings().readPatience());
                        }
                    }
                    case ReadScript.Reply.UserMiss miss -> {
                        if (viewer != null && attempt.holds(miss.holder())) {
                            tools.lookups().await(p, fence, key, viewer, attempt.token());
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
                .add(new ReadScript.Item(p, current, key, viewer, token, attempt.stale(), op));
    }

    private ReadScript.Reply await(CompletableFuture<ReadScript.Reply> reply) {
        tools.batches().send();
        return Replies.await(reply);
    }

    private EntityState load(Fence current) {
        var snapshot = tools.loads().load(p, current, key, viewer, attempt.token());
        List<String> own = viewer == null ? List.of() : snapshot.users().get(viewer);
        return new EntityState(
                snapshot.epoch(),
                snapshot.version(),
                snapshot.op(),
                snapshot.counters(),
                own == null ? List.of() : own);
    }
}
