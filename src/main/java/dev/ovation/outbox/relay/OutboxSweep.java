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
    private final long timeoutMillis;

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
        this.timeoutMillis = timeoutMillis;
    }

    /** Meta of one partition, and the fence from before it was read. */
    private record SweptPartition(
            int p,
            @Nullable Fence fence,
            RedisAsyncCommands<String, String> redis,
            CompletableFuture<List<KeyValue<String, String>>> meta) {}

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
        var asked = new ArrayList<CompletableFuture<List<SweptPartition>>>();
        for (var one : servers.grouped(staying, p -> p).entrySet()) {
            asked.add(ask(one.getKey(), one.getValue()));
        }
        long unacked = 0;
        var first = new ArrayList<CompletableFuture<List<StreamMessage<String, String>>>>();
        for (List<SweptPartition> server : ServerAnswers.await(asked, timeoutMillis)) {
            for (SweptPartition one : server) {
                unacked += look(one, due, first);
            }
        }
        metrics.outboxLength(unacked);
        long oldest = Long.MAX_VALUE;
        for (var entries : ServerAnswers.await(first, timeoutMillis)) {
            oldest = Math.min(oldest, time(entries));
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
        var asked = new ArrayList<SweptPartition>();
        for (int p : partitions) {
            var fence = fences.of(p);
            var meta = redis.hmget(RedisSchema.meta(p), "epoch", "seq", "acked");
            asked.add(new SweptPartition(p, fence, redis, meta.toCompletableFuture()));
        }
        return CompletableFuture.allOf(
                        asked.stream()
                                .map(SweptPartition::meta)
                                .toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> asked);
    }

    /** Returns the number of events of the partition without an acknowledgement. */
    private long look(
            SweptPartition one,
            IntConsumer due,
            List<CompletableFuture<List<StreamMessage<String, String>>>> first) {
        int p = one.p();
        var fence = one.fence();
        List<KeyValue<String, String>> meta = one.meta().join();
        if (fence != null && !Outboxes.isOf(meta.get(0), fence)) {
            fences.lose(p, fence);
        }
        long seq = Long.parseLong(meta.get(1).getValueOrElse("0"));
        long acked = Long.parseLong(meta.get(2).getValueOrElse("0"));
        long soon = fence == null ? acked : ackSender.acknowledgedSoon(p, fence.epoch(), acked);
        if (seq > soon) {
            inbox.forget(p);
            due.accept(p);
            var next = Boundary.including(meta.get(0).getValueOrElse("0") + "-" + (acked + 1));
            first.add(
                    one.redis()
                            .xrange(
                                    RedisSchema.outbox(p),
                                    Range.from(next, Boundary.unbounded()),
                                    Limit.from(1))
                            .toCompletableFuture());
        }
        return Math.max(0, seq - acked);
    }

    private static long time(List<StreamMessage<String, String>> entries) {
        String at =
                entries.isEmpty()
                        ? ""
                        : Event.members(entries.getFirst().getBody()).getOrDefault("at", "");
        return at.matches("\\d{1,18}") ? Long.parseLong(at) : Long.MAX_VALUE;
    }
}
