package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.ScriptTimes;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.outbox.batch.Inbox;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;

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

/** The outboxes in Redis. This class reads them and acknowledges commits. */
public final class Outboxes implements CommitPublisher.Acknowledger {

    private final RedisLink link;
    private final Fences fences;
    private final Watermarks watermarks;
    private final Inbox inbox;
    private final AckSender ackSender;
    private final OutboxMetrics metrics;
    private final long timeoutMillis;

    public Outboxes(
            RedisLink link,
            Fences fences,
            Watermarks watermarks,
            Inbox inbox,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        this.link = link;
        this.fences = fences;
        this.watermarks = watermarks;
        this.inbox = inbox;
        this.ackSender = new AckSender(link, watermarks, settings, times);
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
     * Reads outboxes, in one pipeline, in order to apply their events. The outbox is not read when,
     * as far as is known, all events to apply are this instance's own.
     *
     * @param count greatest number of entries of each
     * @return the slices that need a transaction
     */
    List<OutboxSlice> look(Collection<Integer> partitions, int count) throws Exception {
        var looks = new ArrayList<OutboxSlice>();
        var others = new ArrayList<Integer>();
        for (int p : partitions) {
            var own = own(p, count);
            if (own == null) {
                others.add(p);
            } else {
                looks.add(own);
            }
        }
        if (!others.isEmpty()) {
            see(others, count).stream().filter(OutboxSlice::isWorthALock).forEach(looks::add);
        }
        looks.forEach(slice -> watermarks.seen(slice.p(), slice.fence().epoch(), slice.last()));
        return looks;
    }

    private @Nullable OutboxSlice own(int p, int count) {
        var fence = fences.of(p);
        return fence == null
                ? null
                : inbox.look(p, fence, known(p, fence), watermarks.awaited(p), count);
    }

    private long known(int p, Fence fence) {
        var position = watermarks.position(p);
        return position.epoch() == fence.epoch() ? position.applied() : 0;
    }

    /** Reads outboxes, also those without an event to apply. */
    public List<OutboxSlice> see(Collection<Integer> partitions, int count) throws Exception {
        ackSender.flush();
        var redis = link.relay();
        var pending = new ArrayList<Pending>();
        for (int p : partitions) {
            var fence = fences.of(p);
            if (fence != null) {
                pending.add(
                        new Pending(
                                p,
                                fence,
                                known(p, fence),
                                meta(p),
                                redis.xrange(
                                                RedisSchema.outbox(p),
                                                Range.unbounded(),
                                                Limit.from(count))
                                        .toCompletableFuture()));
            }
        }
        var looks = new ArrayList<OutboxSlice>();
        for (Pending one : pending) {
            OutboxLag progress = progress(one.p(), one.fence(), get(one.meta()));
            List<StreamMessage<String, String>> messages = get(one.entries());
            if (progress != null) {
                looks.add(
                        new OutboxSlice(
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

    /** Seq of the last acknowledged event of an epoch, and of the last proposed one. */
    public record OutboxLag(long epoch, long acked, long proposed) {}

    /** Returns the progress of a partition; null while this instance is not attached to it. */
    public @Nullable OutboxLag progress(int p) throws Exception {
        var fence = fences.of(p);
        return fence == null ? null : progress(p, fence, get(meta(p)));
    }

    private CompletableFuture<List<KeyValue<String, String>>> meta(int p) {
        return link.relay()
                .hmget(RedisSchema.meta(p), "epoch", "acked", "seq")
                .toCompletableFuture();
    }

    /** Returns null, and detaches, when Redis has the partition in another epoch. */
    private @Nullable OutboxLag progress(int p, Fence fence, List<KeyValue<String, String>> meta) {
        if (!isOf(meta.get(0), fence)) {
            fences.lose(p, fence);
            return null;
        }
        return new OutboxLag(
                fence.epoch(),
                Long.parseLong(meta.get(1).getValueOrElse("0")),
                Long.parseLong(meta.get(2).getValueOrElse("0")));
    }

    private static boolean isOf(KeyValue<String, String> epoch, Fence fence) {
        return epoch.getValueOrElse("").equals(Long.toString(fence.epoch()));
    }

    static List<OutboxSlice.OutboxEntry> entries(
            List<StreamMessage<String, String>> messages, long epoch) {
        var entries = new ArrayList<OutboxSlice.OutboxEntry>(messages.size());
        for (var message : messages) {
            String[] id = message.getId().split("-", 2);
            if (Long.parseLong(id[0]) == epoch) {
                entries.add(
                        new OutboxSlice.OutboxEntry(
                                Long.parseLong(id[1]), Event.members(message.getBody())));
            }
        }
        return entries;
    }

    /**
     * Makes every partition due in which an event is proposed, or committed and not acknowledged,
     * and measures these events. The relay then reads the outbox of the partition. Detaches from
     * partitions that Redis has in another epoch, or not at all. Without requests no other code
     * would notice such a partition, and a configuration could not be written into it.
     */
    void sweep(IntConsumer due) throws Exception {
        var redis = link.relay();
        var seen = new ArrayList<@Nullable Fence>();
        var metas = new ArrayList<CompletableFuture<List<KeyValue<String, String>>>>();
        for (int p = 0; p < fences.partitions().count(); p++) {
            seen.add(fences.of(p));
            metas.add(
                    redis.hmget(RedisSchema.meta(p), "epoch", "seq", "acked")
                            .toCompletableFuture());
        }
        long unacked = 0;
        var first = new ArrayList<CompletableFuture<List<StreamMessage<String, String>>>>();
        for (int p = 0; p < fences.partitions().count(); p++) {
            List<KeyValue<String, String>> meta = get(metas.get(p));
            var fence = seen.get(p);
            if (fence != null && !isOf(meta.get(0), fence)) {
                fences.lose(p, fence);
            }
            long seq = Long.parseLong(meta.get(1).getValueOrElse("0"));
            long acked = Long.parseLong(meta.get(2).getValueOrElse("0"));
            long soon = fence == null ? acked : ackSender.acknowledgedSoon(p, fence.epoch(), acked);
            if (seq > acked) {
                unacked += seq - acked;
            }
            if (seq > soon) {
                inbox.forget(p);
                due.accept(p);
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

    @Override
    public List<CompletableFuture<Boolean>> acknowledge(
            List<RelayTransaction.PartitionResult> results) {
        return ackSender.send(results);
    }

    /** See {@link AckSender#finish}. */
    void finishAcknowledging() throws Exception {
        ackSender.finish();
    }

    /** See {@link AckSender#send(OutboxSlice, List)}. */
    public boolean acknowledge(OutboxSlice slice, List<Fate> changed) throws Exception {
        return ackSender.send(slice, changed);
    }

    private <T> T get(CompletableFuture<T> reply) throws Exception {
        return reply.get(timeoutMillis, TimeUnit.MILLISECONDS);
    }
}
