package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.ServerAnswers;
import dev.ovation.hot.script.ProgressScript;
import dev.ovation.hot.script.ProgressScript.Progress;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.outbox.batch.Inbox;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
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
    private final ScriptTimes scriptTimes;
    private final ProgressScript script = new ProgressScript();
    private final ServerAnswers<RedisLink> answers;
    private final ServerAnswers<RedisLink> entries;

    OutboxSweep(
            RedisServers servers,
            Fences fences,
            Inbox inbox,
            AckSender ackSender,
            OutboxMetrics metrics,
            ScriptTimes scriptTimes,
            long timeoutMillis) {
        this.servers = servers;
        this.fences = fences;
        this.inbox = inbox;
        this.ackSender = ackSender;
        this.metrics = metrics;
        this.scriptTimes = scriptTimes;
        this.answers = new ServerAnswers<>(timeoutMillis);
        this.entries = new ServerAnswers<>(timeoutMillis);
    }

    /** Progress of one partition, and the fence from before it was read. */
    private record SweptPartition(Progress progress, @Nullable Fence fence, RedisLink link) {

        private int p() {
            return progress.p();
        }

        private long unacked() {
            return Math.max(0, progress.proposed() - progress.acked());
        }
    }

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
        for (List<SweptPartition> server : answers.await(asked)) {
            for (SweptPartition one : server) {
                if (isBehind(one)) {
                    inbox.forget(one.p());
                    due.accept(one.p());
                    behind.computeIfAbsent(one.link(), _ -> new ArrayList<>()).add(one);
                }
                unacked += one.unacked();
            }
        }
        metrics.outboxLength(unacked);
        var first = new LinkedHashMap<RedisLink, CompletableFuture<List<Long>>>();
        behind.forEach((link, its) -> first.put(link, firstTimes(link, its)));
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
        var known = new HashMap<Integer, Fence>();
        for (int p : partitions) {
            var fence = fences.of(p);
            if (fence != null) {
                known.put(p, fence);
            }
        }
        return scriptTimes
                .timed("progress", script.execute(redis, partitions))
                .thenApply(
                        served -> {
                            if (served.isEmpty()) { // all have moved since the server was asked
                                throw new IllegalStateException(
                                        "the server serves none of these partitions");
                            }
                            return served.stream()
                                    .map(
                                            each ->
                                                    new SweptPartition(
                                                            each, known.get(each.p()), link))
                                    .toList();
                        });
    }

    /** Returns whether the partition has an event that will not be acknowledged soon. */
    private boolean isBehind(SweptPartition one) {
        int p = one.p();
        var fence = one.fence();
        var progress = one.progress();
        if (fence != null && !progress.hasEpochOf(fence)) {
            fences.lose(p, fence);
        }
        long acked = progress.acked();
        long soon = fence == null ? acked : ackSender.acknowledgedSoon(p, fence.epoch(), acked);
        return progress.proposed() > soon;
    }

    /** Reads the time of the first event of each partition without an acknowledgement. */
    private static CompletableFuture<List<Long>> firstTimes(
            RedisLink link, List<SweptPartition> some) {
        RedisAsyncCommands<String, String> redis;
        try {
            redis = link.relay();
        } catch (RedisUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
        var times = new ArrayList<CompletableFuture<Long>>();
        for (SweptPartition one : some) {
            String epoch = one.progress().epoch().isEmpty() ? "0" : one.progress().epoch();
            var next = Boundary.including(epoch + "-" + (one.progress().acked() + 1));
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
