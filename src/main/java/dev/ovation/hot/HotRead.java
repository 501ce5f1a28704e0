package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.HotMetrics.Lookup;
import dev.ovation.hot.script.ReadScript;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One read of one entity, with all its tries; see {@link HotEntities#read}. The first is sent at
 * once, so that reads of many entities, begun one after the other, make one round trip.
 */
public final class HotRead {

    private final Tools tools;
    private final int p;
    private final EntityKey key;
    private final @Nullable String viewer;
    private final @Nullable Fence fence;
    private final Attempt attempt;
    private @Nullable CompletableFuture<ReadScript.Reply> sent;

    /** What a read works with. */
    record Tools(
            RedisLink link,
            Fences fences,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            EntityLoads loads,
            UserLookups lookups,
            ReadScript script) {}

    HotRead(Tools tools, int p, EntityKey key, @Nullable String viewer) {
        this.tools = tools;
        this.p = p;
        this.key = key;
        this.viewer = viewer;
        this.fence = tools.fences().of(p);
        this.attempt = new Attempt(tools.settings().lease(), tools.settings().readPatience());
        this.sent = fence == null ? null : send(fence);
    }

    /**
     * Waits for the first answer; returns whether the entity is hot, and nothing else to wait for.
     */
    public boolean isHot() {
        try {
            return sent != null && Replies.await(sent) instanceof ReadScript.Reply.Hit;
        } catch (UnansweredException | RedisUnavailableException e) {
            return false;
        }
    }

    /** Returns what was read; empty when Redis cannot tell now. */
    public Optional<EntityState> state() {
        if (fence == null) {
            return Optional.empty();
        }
        try {
            while (sent != null) {
                switch (Replies.await(sent)) {
                    case ReadScript.Reply.Hit hit -> {
                        tools.metrics().lookup(key.namespace(), Lookup.HIT);
                        return Optional.of(
                                new EntityState(
                                        fence.epoch(), hit.version(), hit.counters(), hit.own()));
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
                sent = attempt.again() ? send(fence) : null;
            }
            return Optional.empty();
        } catch (UnansweredException | RedisUnavailableException e) {
            return Optional.empty();
        }
    }

    private @Nullable CompletableFuture<ReadScript.Reply> send(Fence current) {
        try {
            return tools.times()
                    .timed(
                            "read",
                            tools.script()
                                    .execute(
                                            tools.link().requests(),
                                            p,
                                            current,
                                            key,
                                            viewer,
                                            attempt.token(),
                                            attempt.stale()));
        } catch (RedisUnavailableException e) {
            return null;
        }
    }

    private EntityState load(Fence current) {
        var snapshot = tools.loads().load(p, current, key, viewer, attempt.token());
        List<String> own = viewer == null ? List.of() : snapshot.users().get(viewer);
        return new EntityState(
                snapshot.epoch(),
                snapshot.version(),
                snapshot.counters(),
                own == null ? List.of() : own);
    }
}
