package dev.ovation.outbox;

import dev.ovation.hot.Event;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.RedisSchema;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look;
import dev.ovation.outbox.cursor.Cursors;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.StreamMessage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The outboxes in Redis: looks at them, acknowledges what is committed, and tells other instances.
 */
final class Outboxes {

    private final RedisLink link;
    private final Fences fences;
    private final Cursors cursors;
    private final Acknowledgements acknowledgements;
    private final OutboxMetrics metrics;
    private final long timeoutMillis;

    Outboxes(
            RedisLink link,
            Fences fences,
            Cursors cursors,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        this.link = link;
        this.fences = fences;
        this.cursors = cursors;
        this.acknowledgements = new Acknowledgements(link, cursors, settings, times);
        this.metrics = metrics;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    private record Pending(
            int p,
            Fence fence,
            long known,
            CompletableFuture<List<KeyValue<String, String>>> meta,
            CompletableFuture<List<StreamMessage<String, String>>> entries) {}

    /**
     * Looks at outboxes, in one pipeline, in order to apply what is there.
     *
     * @param count entries of each at most
     * @return the looks in which there is something to do
     */
    List<Look> look(Collection<Integer> partitions, int count) throws Exception {
        var looks = see(partitions, count).stream().filter(Look::isWorthALock).toList();
        looks.forEach(look -> cursors.seen(look.p(), look.fence().epoch(), look.last()));
        return looks;
    }

    /** The same, also where there is nothing to do. */
    List<Look> see(Collection<Integer> partitions, int count) throws Exception {
        var redis = link.relay();
        var pending = new ArrayList<Pending>();
        for (int p : partitions) {
            var fence = fences.of(p);
            if (fence != null) {
                var position = cursors.position(p);
                pending.add(
                        new Pending(
                                p,
                                fence,
                                position.epoch() == fence.epoch() ? position.applied() : 0,
                                meta(p),
                                redis.xrange(
                                                RedisSchema.outbox(p),
                                                Range.unbounded(),
                                                Limit.from(count))
                                        .toCompletableFuture()));
            }
        }
        var looks = new ArrayList<Look>();
        for (Pending one : pending) {
            Progress progress = progress(one.p(), one.fence(), get(one.meta()));
            List<StreamMessage<String, String>> messages = get(one.entries());
            if (progress != null) {
                looks.add(
                        new Look(
                                one.p(),
                                one.fence(),
                                one.known(),
                                progress.acked(),
                                progress.proposed(),
                                entries(messages, one.fence().epoch()),
                                messages.size() < count));
            }
        }
        return looks;
    }

    /** Up to where events of an epoch are acknowledged, and up to where they are proposed. */
    record Progress(long epoch, long acked, long proposed) {}

    /** How far a partition has come; null while this instance is not attached to it. */
    @Nullable Progress progress(int p) throws Exception {
        var fence = fences.of(p);
        return fence == null ? null : progress(p, fence, get(meta(p)));
    }

    private CompletableFuture<List<KeyValue<String, String>>> meta(int p) {
        return link.relay()
                .hmget(RedisSchema.meta(p), "epoch", "acked", "seq")
                .toCompletableFuture();
    }

    /** Null, and detached, when Redis has the partition in another epoch. */
    private @Nullable Progress progress(int p, Fence fence, List<KeyValue<String, String>> meta) {
        if (!isOf(meta.get(0), fence)) {
            fences.lose(p, fence);
            return null;
        }
        return new Progress(
                fence.epoch(),
                Long.parseLong(meta.get(1).getValueOrElse("0")),
                Long.parseLong(meta.get(2).getValueOrElse("0")));
    }

    private static boolean isOf(KeyValue<String, String> epoch, Fence fence) {
        return epoch.getValueOrElse("").equals(Long.toString(fence.epoch()));
    }

    static List<Look.Entry> entries(List<StreamMessage<String, String>> messages, long epoch) {
        var entries = new ArrayList<Look.Entry>(messages.size());
        for (var message : messages) {
            String[] id = message.getId().split("-", 2);
            if (Long.parseLong(id[0]) == epoch) {
                entries.add(
                        new Look.Entry(Long.parseLong(id[1]), Event.members(message.getBody())));
            }
        }
        return entries;
    }

    /**
     * Tells every partition in which something is proposed or committed but not acknowledged, and
     * measures all of that. Detaches from those that Redis has in another epoch, or not at all:
     * nobody may come by who would notice, and rules cannot be announced to them.
     */
    void sweep(IntConsumer due) throws Exception {
        var redis = link.relay();
        var seen = new ArrayList<@Nullable Fence>();
        var metas = new ArrayList<CompletableFuture<List<KeyValue<String, String>>>>();
        for (int p = 0; p < fences.partitions(); p++) {
            seen.add(fences.of(p));
            metas.add(
                    redis.hmget(RedisSchema.meta(p), "epoch", "seq", "acked")
                            .toCompletableFuture());
        }
        long unacked = 0;
        var first = new ArrayList<CompletableFuture<List<StreamMessage<String, String>>>>();
        for (int p = 0; p < fences.partitions(); p++) {
            List<KeyValue<String, String>> meta = get(metas.get(p));
            var fence = seen.get(p);
            if (fence != null && !isOf(meta.get(0), fence)) {
                fences.lose(p, fence);
            }
            long seq = Long.parseLong(meta.get(1).getValueOrElse("0"));
            long acked = Long.parseLong(meta.get(2).getValueOrElse("0"));
            if (seq > acked) {
                due.accept(p);
                unacked += seq - acked;
                var next = Boundary.including(meta.get(0).getValueOrElse("0") + "-" + (acked + 1));
                first.add(
                        redis.xrange(
                                        RedisSchema.outbox(p),
                                        Range.from(next, Boundary.unbounded()),
                                        Limit.from(1))
                                .toCompletableFuture());
            }
        }
        metrics.outboxLength(unacked);
        long oldest = Long.MAX_VALUE;
        for (var entry : first) {
            oldest = Math.min(oldest, time(get(entry)));
        }
        metrics.oldestUnapplied(oldest);
    }

    private static long time(List<StreamMessage<String, String>> entries) {
        String at =
                entries.isEmpty()
                        ? ""
                        : Event.members(entries.getFirst().getBody()).getOrDefault("at", "");
        return at.matches("\\d{1,18}") ? Long.parseLong(at) : Long.MAX_VALUE;
    }

    /** See {@link Acknowledgements#send(List)}. */
    List<CompletableFuture<Boolean>> acknowledge(List<Batch.Result> results) {
        return acknowledgements.send(results);
    }

    /** See {@link Acknowledgements#send(Look, List)}. */
    boolean acknowledge(Look look, List<Fate> changed) throws Exception {
        return acknowledgements.send(look, changed);
    }

    private <T> T get(CompletableFuture<T> reply) throws Exception {
        return reply.get(timeoutMillis, TimeUnit.MILLISECONDS);
    }
}
