package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.AckScript;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Acknowledges commits to Redis. The commits of 20 ms share one acknowledgement, because an entity
 * that changes several times in that time needs only one entry.
 */
final class AckSender {

    private static final Logger LOG = LoggerFactory.getLogger(AckSender.class);
    private static final int ACK_CHUNK = 200;
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(
                    20, TimeUnit.MILLISECONDS, task -> Thread.ofVirtual().name("acks").start(task));

    private final RedisServers servers;
    private final Watermarks watermarks;
    private final AckScript script;
    private final ScriptTimes times;
    private final long timeoutMillis;
    private List<Committed> waiting = new ArrayList<>();

    AckSender(
            RedisServers servers, Watermarks watermarks, HotSettings settings, ScriptTimes times) {
        this.servers = servers;
        this.watermarks = watermarks;
        this.script = new AckScript(settings);
        this.times = times;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    /**
     * Acknowledges committed results to Redis, those of many partitions in one run. They wait for
     * further ones; a rejected event sends them at once. The sweep finds failed acknowledgements
     * again.
     *
     * @return of each result, in their order, whether the fence held
     */
    List<CompletableFuture<Boolean>> send(List<RelayTransaction.PartitionResult> results) {
        var acknowledged = new ArrayList<CompletableFuture<Boolean>>(results.size());
        synchronized (this) {
            if (waiting.isEmpty()) {
                LATER.execute(this::sendLater);
            }
            results.forEach(result -> acknowledged.add(wait(result)));
        }
        if (results.stream().anyMatch(result -> !result.rejected().isEmpty())) {
            sendWaiting();
        }
        return acknowledged;
    }

    private CompletableFuture<Boolean> wait(RelayTransaction.PartitionResult result) {
        int p = result.slice().p();
        var rejected = AckEntries.rejected(result, watermarks);
        for (Committed one : waiting) {
            if (one.p() == p && one.join(result, rejected)) {
                return one.acknowledged();
            }
        }
        var committed = new Committed(result, rejected);
        waiting.add(committed);
        return committed.acknowledged();
    }

    /**
     * Returns the seq up to which the events of a partition will be acknowledged once the commits
     * that wait here have left.
     *
     * @param acked seq up to which they are acknowledged
     */
    synchronized long acknowledgedSoon(int p, long epoch, long acked) {
        long soon = acked;
        for (Committed one : waiting) {
            if (one.p() == p && one.fence().epoch() == epoch && one.after() <= soon) {
                soon = Math.max(soon, one.applied());
            }
        }
        return soon;
    }

    /** Sends the waiting commits, so that a read of an outbox does not meet their events. */
    void flush() {
        var _ = sendWaiting();
    }

    /** Sends the waiting commits, and waits a bounded time for the answer. */
    void finish() throws Exception {
        CompletableFuture.allOf(sendWaiting().toArray(CompletableFuture<?>[]::new))
                .get(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private void sendLater() {
        try {
            sendWaiting();
        } catch (RuntimeException e) {
            LOG.debug(
                    "Committed, but Redis does not know yet; the sweep repeats the acknowledgement",
                    e);
        }
    }

    /** Sends one commit after the other, so that the one that waited longest leaves first. */
    private synchronized List<CompletableFuture<Boolean>> sendWaiting() {
        List<Committed> all = waiting;
        waiting = new ArrayList<>();
        try {
            sendAll(all);
        } catch (RuntimeException e) {
            all.forEach(one -> one.acknowledged().completeExceptionally(e));
            throw e;
        }
        return all.stream().map(Committed::acknowledged).toList();
    }

    /** Sends those of each server; a server that is down gets them from the sweep once it is up. */
    private void sendAll(List<Committed> all) {
        var groups = new LinkedHashMap<RedisLink, List<Committed>>();
        for (Committed one : all) {
            var link = servers.find(one.p());
            if (link == null) {
                var lost = new RedisUnavailableException("no server holds the partition");
                one.acknowledged().completeExceptionally(lost);
            } else {
                groups.computeIfAbsent(link, _ -> new ArrayList<>()).add(one);
            }
        }
        RedisUnavailableException down = null;
        for (var group : groups.entrySet()) {
            try {
                sendAll(group.getKey(), group.getValue());
            } catch (RedisUnavailableException e) {
                down = e;
                group.getValue().forEach(one -> one.acknowledged().completeExceptionally(e));
            }
        }
        if (down != null && !servers.isCluster()) {
            throw down;
        }
    }

    private void sendAll(RedisLink link, List<Committed> all) {
        var together = new ArrayList<Committed>();
        int events = 0;
        for (Committed one : all) {
            int more = one.size();
            if (events + more > ACK_CHUNK) {
                sendTogether(link, together);
                together.clear();
                events = 0;
            }
            if (more > ACK_CHUNK) {
                complete(one, chunks(link, one));
            } else {
                together.add(one);
                events += more;
            }
        }
        sendTogether(link, together);
    }

    private void sendTogether(RedisLink link, List<Committed> some) {
        var held = run(link, some.stream().map(Committed::item).toList());
        for (int i = 0; i < some.size(); i++) {
            complete(some.get(i), held.get(i));
        }
    }

    private static void complete(Committed one, CompletableFuture<Boolean> held) {
        var _ =
                held.whenComplete(
                        (yes, error) -> {
                            if (error == null) {
                                one.acknowledged().complete(yes);
                            } else {
                                one.acknowledged().completeExceptionally(error);
                            }
                        });
    }

    /** Sends one run; returns its answer for each partition. */
    private List<CompletableFuture<Boolean>> run(RedisLink link, List<AckScript.AckItem> items) {
        if (items.isEmpty()) {
            return List.of();
        }
        var replies = times.timed("ack", script.execute(link.relay(), items));
        return IntStream.range(0, items.size())
                .mapToObj(i -> replies.thenApply(all -> held(all.get(i))))
                .toList();
    }

    private static boolean held(AckScript.Reply reply) {
        return switch (reply) {
            case AckScript.Reply.Acknowledged _ -> true;
            case AckScript.Reply.Fenced _ -> false;
            case AckScript.Reply.AckFailure failed ->
                    throw new IllegalStateException(failed.error());
        };
    }

    /**
     * Acknowledges entities that were changed past the outbox, after the waiting commits. Nothing
     * is trimmed, because earlier events have their own acknowledgement. Therefore all these chunks
     * may leave at once.
     *
     * @return whether the fence held
     */
    boolean send(OutboxSlice slice, List<Fate> changed) throws Exception {
        sendWaiting();
        var acknowledged = new ArrayList<CompletableFuture<Boolean>>();
        for (int from = 0; from < changed.size(); from += ACK_CHUNK) {
            var chunk = changed.subList(from, Math.min(from + ACK_CHUNK, changed.size()));
            long acked = slice.acked();
            acknowledged.addAll(
                    run(
                            servers.of(slice.p()),
                            List.of(
                                    new AckScript.AckItem(
                                            slice.p(), slice.fence(), acked, acked, chunk))));
        }
        boolean held = true;
        for (var one : acknowledged) {
            held &= one.get(timeoutMillis, TimeUnit.MILLISECONDS);
        }
        return held;
    }

    /** Sends chunks in their order. After a failed chunk the next ones trim nothing. */
    private CompletableFuture<Boolean> chunks(RedisLink link, Committed one) {
        var all = CompletableFuture.completedFuture(true);
        long after = one.after();
        for (int from = 0; from < one.size(); from += ACK_CHUNK) {
            var item = one.item(from, Math.min(from + ACK_CHUNK, one.size()), after);
            after = item.applied();
            all = all.thenCombine(run(link, List.of(item)).getFirst(), Boolean::logicalAnd);
        }
        return all;
    }
}
