package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.ServerAnswers;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.outbox.batch.Inbox;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The outboxes in Redis. This class reads them and acknowledges commits. */
public final class Outboxes implements CommitPublisher.Acknowledger {

    private final RedisServers servers;
    private final Fences fences;
    private final Watermarks watermarks;
    private final Inbox inbox;
    private final AckSender ackSender;
    private final OutboxSweep sweep;
    private final ServerAnswers<RedisLink> answers;
    private final long timeoutMillis;

    public Outboxes(
            RedisServers servers,
            Fences fences,
            Watermarks watermarks,
            Inbox inbox,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        this.servers = servers;
        this.fences = fences;
        this.watermarks = watermarks;
        this.inbox = inbox;
        this.ackSender = new AckSender(servers, watermarks, settings, times);
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
        this.sweep =
                new OutboxSweep(servers, fences, inbox, ackSender, metrics, times, timeoutMillis);
        this.answers = new ServerAnswers<>(timeoutMillis);
    }

    private record Pending(
            int p,
            Fence fence,
            long known,
            List<KeyValue<String, String>> meta,
            List<StreamMessage<String, String>> entries) {}

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
        var attached = partitions.stream().filter(p -> fences.of(p) != null).toList();
        var asked = new LinkedHashMap<RedisLink, CompletableFuture<List<Pending>>>();
        servers.grouped(attached, p -> p)
                .forEach((link, its) -> asked.put(link, ask(link, its, count)));
        var slices = new ArrayList<OutboxSlice>();
        for (List<Pending> server : answers.await(asked)) {
            for (Pending one : server) {
                var slice = slice(one, count);
                if (slice != null) {
                    slices.add(slice);
                }
            }
        }
        return slices;
    }

    private CompletableFuture<List<Pending>> ask(
            RedisLink link, List<Integer> partitions, int count) {
        RedisAsyncCommands<String, String> redis;
        try {
            redis = link.relay();
        } catch (RedisUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
        var pending = new ArrayList<CompletableFuture<Pending>>();
        for (int p : partitions) {
            var fence = fences.of(p);
            if (fence != null) {
                var meta = meta(redis, p);
                var entries =
                        redis.xrange(RedisSchema.outbox(p), Range.unbounded(), Limit.from(count))
                                .toCompletableFuture();
                long known = known(p, fence);
                pending.add(
                        meta.thenCombine(
                                entries,
                                (read, found) -> new Pending(p, fence, known, read, found)));
            }
        }
        return ServerAnswers.served(pending);
    }

    private @Nullable OutboxSlice slice(Pending one, int count) {
        OutboxLag progress = progress(one.p(), one.fence(), one.meta());
        return progress == null
                ? null
                : new OutboxSlice(
                        one.p(),
                        one.fence(),
                        one.known(),
                        progress.acked(),
                        progress.proposed(),
                        entries(one.entries(), one.fence().epoch()),
                        one.entries().size() < count);
    }

    /** Seq of the last acknowledged event of an epoch, and of the last proposed one. */
    public record OutboxLag(long epoch, long acked, long proposed) {}

    /** Returns the progress of a partition; null while this instance is not attached to it. */
    public @Nullable OutboxLag progress(int p) throws Exception {
        var fence = fences.of(p);
        return fence == null
                ? null
                : progress(
                        p,
                        fence,
                        meta(servers.of(p).relay(), p).get(timeoutMillis, TimeUnit.MILLISECONDS));
    }

    private static CompletableFuture<List<KeyValue<String, String>>> meta(
            RedisAsyncCommands<String, String> redis, int p) {
        return redis.hmget(RedisSchema.meta(p), "epoch", "acked", "seq").toCompletableFuture();
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

    static boolean isOf(KeyValue<String, String> epoch, Fence fence) {
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

    /** See {@link OutboxSweep#sweep}. */
    void sweep(IntConsumer due) throws Exception {
        sweep.sweep(due);
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
}
