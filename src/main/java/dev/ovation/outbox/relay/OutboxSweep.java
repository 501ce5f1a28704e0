package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.ServerAnswers;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.outbox.batch.Inbox;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Finds the outboxes that hold events, on all servers. */
final class OutboxSweep {

    private final RedisServers servers;
    private final Fences fences;
    private final Inbox inbox;
    private final AckSender ackSender;
    private final OutboxMetrics metrics;
    private final ServerAnswers<RedisLink> metas;
    private final ServerAnswers<RedisLink> entries;

    OutboxSweep(
            RedisServers servers,
            Fences fences,
            Inbox inbox,
            AckSender ackSender,
            OutboxMetrics metrics,
            long timeoutMillis) {
        this.servers = servers;
        this.fences = fences;
        this.inbox = inbox;
        this.ackSender = ackSender;
        this.metrics = metrics;
        this.metas = new ServerAnswers<>(timeoutMillis);
        this.entries = new ServerAnswers<>(timeoutMillis);
    }

    /** Meta of one partition, and the fence from before it was read. */
    private record SweptPartition(
            int p, @Nullable Fence fence, RedisLink link, List<KeyValue<String, String>> meta) {}

    /**
     * Makes every partition due in which an event is proposed, or committed and not acknowledged,
     * and measures these events. The relay then reads the outbox of the partition. Detaches from
     * partitions that Redis has in another epoch, or not at all. Without requests no other code
     * would notice such a partition, and a configuration could not be written into it.
     */
    void sweep(IntConsumer due) throws Exception {
        var staying =
                IntStream.range(0, fences.partitions().count())
                        .filter(p -> !servers.isMoving(p))
                        .boxed()
                        .toList();
        var asked = new LinkedHashMap<RedisLink, CompletableFuture<List<SweptPartition>>>();
        servers.grouped(staying, p -> p).forEach((link, its) -> asked.put(link, ask(link, its)));
        if (asked.isEmpty() && !staying.isEmpty()) {
            throw new RedisUnavailableException("no server holds a partition");
        }
        long unacked = 0;
        var behind = new LinkedHashMap<RedisLink, List<SweptPartition>>();
        for (List<SweptPartition> server : metas.await(asked)) {
            for (SweptPartition one : server) {
                if (isBehind(one)) {
                    inbox.forget(one.p());
                    due.accept(one.p());
                    behind.computeIfAbsent(one.link(), _ -> new ArrayList<>()).add(one);
                }
                unacked += Math.max(0, seq(one) - acked(one));
            }
        }
        metrics.outboxLength(unacked);
        var first = new LinkedHashMap<RedisLink, CompletableFuture<List<Long>>>();
        behind.forEach((link, its) -> first.put(link, times(link, its)));
        long oldest = Long.MAX_VALUE;
        for (List<Long> times : entries.await(first)) {
            for (long time : times) {
                oldest = Math.min(oldest, time);
            }
        }
        metrics.oldestUnapplied(oldest);
    }

    private CompletableFuture<List<SweptPartition>> ask(RedisLink link, List<Integer> partitions) {
        RedisAsyncCommands<String, String> redis;
        try {
            redis = link.relay();
        } catch (RedisUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
        var asked = new ArrayList<CompletableFuture<SweptPartition>>();
        for (int p : partitions) {
            var fence = fences.of(p);
            asked.add(
                    redis.hmget(RedisSchema.meta(p), "epoch", "seq", "acked")
                            .thenApply(meta -> new SweptPartition(p, fence, link, meta))
                            .toCompletableFuture());
        }
        return ServerAnswers.served(asked);
    }

    /** Returns whether the partition has an event that will not be acknowledged soon. */
    private boolean isBehind(SweptPartition one) {
        int p = one.p();
        var fence = one.fence();
        if (fence != null && !Outboxes.isOf(one.meta().get(0), fence)) {
            fences.lose(p, fence);
        }
        long acked = acked(one);
        long soon = fence == null ? acked : ackSender.acknowledgedSoon(p, fence.epoch(), acked);
        return seq(one) > soon;
    }

    private static long seq(SweptPartition one) {
        return Long.parseLong(one.meta().get(1).getValueOrElse("0"));
    }

    private static long acked(SweptPartition one) {
        return Long.parseLong(one.meta().get(2).getValueOrElse("0"));
    }

    /** Reads the time of the first event of each partition without an acknowledgement. */
    private static CompletableFuture<List<Long>> times(RedisLink link, List<SweptPartition> some) {
        RedisAsyncCommands<String, String> redis;
        try {
            redis = link.relay();
        } catch (RedisUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
        var times = new ArrayList<CompletableFuture<Long>>();
        for (SweptPartition one : some) {
            String epoch = one.meta().get(0).getValueOrElse("0");
            var next = Boundary.including(epoch + "-" + (acked(one) + 1));
            times.add(
                    redis.xrange(
                                    RedisSchema.outbox(one.p()),
                                    Range.from(next, Boundary.unbounded()),
                                    Limit.from(1))
                            .thenApply(OutboxSweep::time)
                            .toCompletableFuture());
        }
        return ServerAnswers.served(times);
    }

    private static long time(List<StreamMessage<String, String>> entries) {
        String at =
                entries.isEmpty()
                        ? ""
                        : Event.members(entries.getFirst().getBody()).getOrDefault("at", "");
        return at.matches("\\d{1,18}") ? Long.parseLong(at) : Long.MAX_VALUE;
    }
}
