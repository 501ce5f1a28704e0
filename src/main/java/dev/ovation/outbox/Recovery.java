package dev.ovation.outbox;

import dev.ovation.hot.Fence;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.OldMarks;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.RedisSchema;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;

import io.lettuce.core.KeyValue;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionOperations;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Attaches this instance to the partitions: as they are, when Postgres and Redis name the same
 * epoch and server, else with a new epoch. An epoch is opened at most once: by the instance that
 * took it, with one send; who is not certain of the open takes another one.
 */
final class Recovery implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long ROUND_MILLIS = 250;

    /** An epoch this young may still be being opened by the instance that took it. */
    private static final long OPENING_MILLIS = 1000;

    private final RedisLink link;
    private final Fences fences;
    private final Cursors cursors;
    private final PartitionTable partitions;
    private final RejectedEvents rejections;
    private final ConfigurationTable configurations;
    private final TransactionOperations transactions;
    private final OldMarks oldMarks;
    private final OutboxMetrics metrics;
    private final ScriptTimes times;
    private final Contest contest = new Contest();
    private final OpenScript openScript = new OpenScript();
    private final long timeoutMillis;
    private final Map<Integer, Long> toEnd = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);

    private IntConsumer onAttach = _ -> {};
    private volatile boolean running;
    private @Nullable Thread thread;

    Recovery(
            RedisLink link,
            Fences fences,
            Cursors cursors,
            PartitionTable partitions,
            RejectedEvents rejections,
            ConfigurationTable configurations,
            TransactionOperations transactions,
            OldMarks oldMarks,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        this.link = link;
        this.fences = fences;
        this.cursors = cursors;
        this.partitions = partitions;
        this.rejections = rejections;
        this.configurations = configurations;
        this.transactions = transactions;
        this.oldMarks = oldMarks;
        this.metrics = metrics;
        this.times = times;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
        fences.onLoss(wake::release);
        link.onChange(wake::release);
    }

    /** Names who is told of each partition that was attached to. */
    void onAttach(IntConsumer listener) {
        this.onAttach = listener;
    }

    /** Ends an epoch whose outbox does not continue what Postgres has applied. */
    void endEpoch(int p, Fence fence, String reason) {
        LOG.warn("Partition {} gets a new epoch after {}: {}", p, fence.epoch(), reason);
        toEnd.put(p, fence.epoch());
        fences.lose(p, fence);
    }

    /**
     * Takes in the rows as Postgres has them: who is attached to an older epoch must attach again.
     */
    void compare(List<PartitionRow> rows) {
        for (PartitionRow row : rows) {
            var fence = fences.of(row.p());
            if (fence != null && row.epoch() > fence.epoch()) {
                fences.lose(row.p(), fence);
            }
        }
    }

    /** Returns the partitions that another Redis has claimed as well within the last minute. */
    Set<Integer> contested() {
        return contest.contested();
    }

    @Override
    public void start() {
        running = true;
        thread = Thread.ofPlatform().name("recovery").start(this::run);
    }

    @Override
    public void stop() {
        running = false;
        wake.release();
        try {
            if (thread != null) {
                thread.join(timeoutMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return 2;
    }

    private void run() {
        while (running) {
            try {
                if (fences.attached() < fences.partitions() && link.incarnation().isPresent()) {
                    round(link.incarnation().get());
                }
            } catch (Throwable e) {
                LOG.warn("Attaching failed and is repeated: {}", e.toString());
            }
            try {
                if (wake.tryAcquire(ROUND_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** What Redis says about a partition; epoch 0 when it says nothing. */
    private record Meta(long epoch, String incarnation) {}

    private void round(String incarnation) throws Exception {
        List<PartitionRow> all = partitions.all();
        if (all.size() != fences.partitions()) {
            throw new IllegalStateException(
                    "the database has %d partitions, this instance %d"
                            .formatted(all.size(), fences.partitions()));
        }
        List<PartitionRow> rows = all.stream().filter(row -> fences.of(row.p()) == null).toList();
        Map<Integer, Meta> metas = metas(rows);
        var attachable = new ArrayList<PartitionRow>();
        var others = new HashMap<Integer, PartitionRow>();
        for (PartitionRow row : rows) {
            if (isOpen(row, metas, incarnation)) {
                attachable.add(row);
            } else if (contest.mayTake(row, incarnation)) {
                others.put(row.p(), row);
            }
        }
        attach(attachable, "attached");
        if (!others.isEmpty()) {
            proveWritable();
            open(take(others, metas, incarnation));
        }
    }

    private boolean isOpen(PartitionRow row, Map<Integer, Meta> metas, String incarnation) {
        Long ending = toEnd.get(row.p());
        return row.epoch() > 0
                && row.incarnation().equals(incarnation)
                && new Meta(row.epoch(), incarnation).equals(metas.get(row.p()))
                && (ending == null || ending < row.epoch());
    }

    private Map<Integer, Meta> metas(List<PartitionRow> rows) throws Exception {
        var pending =
                new LinkedHashMap<Integer, CompletableFuture<List<KeyValue<String, String>>>>();
        for (PartitionRow row : rows) {
            pending.put(
                    row.p(),
                    link.relay()
                            .hmget(RedisSchema.meta(row.p()), "epoch", "incarnation")
                            .toCompletableFuture());
        }
        var metas = new HashMap<Integer, Meta>();
        for (var one : pending.entrySet()) {
            var values = one.getValue().get(timeoutMillis, TimeUnit.MILLISECONDS);
            metas.put(
                    one.getKey(),
                    new Meta(
                            Long.parseLong(values.get(0).getValueOrElse("0")),
                            values.get(1).getValueOrElse("")));
        }
        return metas;
    }

    /** Before an epoch is taken for it: a replica, or a server that may not write, refuses this. */
    private void proveWritable() throws Exception {
        link.relay()
                .unlink(RedisSchema.meta(0) + ":probe")
                .toCompletableFuture()
                .get(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private List<Succession> take(
            Map<Integer, PartitionRow> seen, Map<Integer, Meta> metas, String incarnation) {
        List<Succession> taken =
                transactions.execute(
                        _ -> {
                            var successions = new ArrayList<Succession>();
                            for (PartitionRow row : partitions.lock(seen.keySet())) {
                                var meta = metas.getOrDefault(row.p(), new Meta(0, ""));
                                if (isAsSeen(row, seen) && mustEnd(row, metas, incarnation)) {
                                    successions.add(
                                            new Succession(
                                                    row.p(),
                                                    row.epoch(),
                                                    row.appliedSeq(),
                                                    Math.max(row.epoch(), meta.epoch()) + 1,
                                                    incarnation));
                                }
                            }
                            if (!successions.isEmpty()) {
                                partitions.succeed(successions);
                            }
                            return successions;
                        });
        return taken == null ? List.of() : taken;
    }

    /**
     * Whoever took an epoch meanwhile may have opened it too: then what Redis said is out of date.
     */
    private static boolean isAsSeen(PartitionRow row, Map<Integer, PartitionRow> seen) {
        var before = seen.get(row.p());
        return before != null && before.epoch() == row.epoch();
    }

    /** Looks again under the lock: somebody may have taken, or be opening, the epoch just now. */
    private boolean mustEnd(PartitionRow row, Map<Integer, Meta> metas, String incarnation) {
        Long ending = toEnd.get(row.p());
        boolean told = ending != null && ending == row.epoch();
        boolean beingOpened = row.epoch() > 0 && row.ageMillis() < OPENING_MILLIS;
        return told || (!beingOpened && !isOpen(row, metas, incarnation));
    }

    private void open(List<Succession> taken) throws Exception {
        // After the epoch is committed: a configuration that comes later waits for this epoch.
        long config = configurations.newestVersion();
        var replies = new LinkedHashMap<Succession, CompletableFuture<OpenScript.Reply>>();
        for (Succession next : taken) {
            replies.put(
                    next,
                    times.timed(
                            "open",
                            openScript.execute(
                                    link.relay(),
                                    next.p(),
                                    new Fence(next.newEpoch(), next.newIncarnation()),
                                    config)));
        }
        var opened = new ArrayList<PartitionRow>();
        for (var reply : replies.entrySet()) {
            var next = reply.getKey();
            if (reply.getValue().get(timeoutMillis, TimeUnit.MILLISECONDS)
                    == OpenScript.Reply.OPENED) {
                opened.add(
                        new PartitionRow(
                                next.p(), next.newEpoch(), next.newIncarnation(), 0, 0, ""));
            }
        }
        attach(opened, "taken");
        if (!opened.isEmpty()) {
            LOG.info("Took {} partitions with new epochs", opened.size());
            oldMarks.sweepSoon();
        }
    }

    private void attach(List<PartitionRow> rows, String kind) {
        if (rows.isEmpty()) {
            return;
        }
        var ranges = rows.stream().map(row -> new Range(row.p(), row.epoch(), 0)).toList();
        Map<Integer, Set<Long>> rejected = rejections.within(ranges);
        for (PartitionRow row : rows) {
            int p = row.p();
            cursors.reset(p, row.epoch(), row.appliedSeq(), rejected.getOrDefault(p, Set.of()));
            fences.attach(p, new Fence(row.epoch(), row.incarnation()));
            contest.attached(p, row.incarnation());
            toEnd.remove(p);
            onAttach.accept(p);
        }
        metrics.recovered(kind, rows.size());
    }
}
