package dev.ovation.outbox.recovery;

import dev.ovation.entity.Reasons;
import dev.ovation.hot.StaleEpochSweeper;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.outbox.recovery.Epochs.OpenedEpoch;
import dev.ovation.outbox.relay.DataErrors;
import dev.ovation.outbox.relay.OutboxMetrics;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.outbox.watermark.Watermarks.WatermarkPosition;
import dev.ovation.start.StartPhase;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Attaches this instance to the partitions. It adopts the epoch of a partition when Postgres and
 * Redis name the same epoch and server. Otherwise it takes a new epoch.
 */
public final class Recovery implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long ROUND_MILLIS = 250;

    private final RedisServers servers;
    private final Fences fences;
    private final Watermarks watermarks;
    private final PartitionTable partitions;
    private final RejectedEvents rejections;
    private final Epochs epochs;
    private final StaleEpochSweeper sweeper;
    private final OutboxMetrics metrics;
    private final TakeoverBackoff backoff = new TakeoverBackoff();
    private final Reasons reasons = new Reasons();
    private final long timeoutMillis;
    private final Map<Integer, Long> toEnd = new ConcurrentHashMap<>();

    /** Partitions that were seen to move, and whose epochs are not looked at since. */
    private final Set<Integer> moved = ConcurrentHashMap.newKeySet();

    private final Semaphore wake = new Semaphore(0);

    private IntConsumer onAttach = _ -> {};
    private volatile boolean running;
    private @Nullable Thread thread;

    public Recovery(
            RedisServers servers,
            Fences fences,
            Watermarks watermarks,
            PartitionTable partitions,
            RejectedEvents rejections,
            Epochs epochs,
            StaleEpochSweeper sweeper,
            HotSettings settings,
            OutboxMetrics metrics) {
        this.servers = servers;
        this.fences = fences;
        this.watermarks = watermarks;
        this.partitions = partitions;
        this.rejections = rejections;
        this.epochs = epochs;
        this.sweeper = sweeper;
        this.metrics = metrics;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
        fences.onLoss(wake::release);
        servers.onChange(this::noteMoves);
    }

    /** The note outlasts the move, which may be given up before the next round. */
    private void noteMoves() {
        for (int p = 0; p < fences.partitions().count(); p++) {
            if (servers.isMoving(p)) {
                moved.add(p);
            }
        }
        wake.release();
    }

    /** Sets the listener for each partition to which this instance attaches. */
    public void onAttach(IntConsumer listener) {
        this.onAttach = listener;
    }

    /** Ends an epoch whose outbox does not continue what Postgres has applied. */
    public void endEpoch(int p, Fence fence, String reason) {
        LOG.warn("Partition {} gets a new epoch after {}: {}", p, fence.epoch(), reason);
        toEnd.put(p, fence.epoch());
        fences.lose(p, fence);
    }

    /**
     * Compares the partitions with their rows in Postgres. An instance that is attached to an older
     * epoch must attach again. If a row is behind the known commits, Postgres was restored to an
     * older copy: then all epochs end, because no hot state is valid.
     *
     * @param before known watermarks, by partition, from before the rows were read
     */
    public void compare(List<WatermarkPosition> before, List<PartitionRow> rows) {
        // Once: a partition that cannot be renewed now must not end the new epochs of the others.
        if (rows.stream().anyMatch(row -> before.get(row.p()).isAheadOf(row) && !mustEnd(row))) {
            LOG.warn("Postgres lacks committed changes; all partitions get new epochs");
            for (PartitionRow row : rows) {
                toEnd.put(row.p(), row.epoch());
            }
            fences.loseAll();
            return;
        }
        for (PartitionRow row : rows) {
            var fence = fences.of(row.p());
            if (fence != null && row.epoch() > fence.epoch()) {
                fences.lose(row.p(), fence);
            }
        }
    }

    /** Returns the partitions that another Redis has claimed as well within the last minute. */
    public Set<Integer> contested() {
        return backoff.contested();
    }

    /** Returns the error of the last try to attach; empty when it succeeded. */
    public Optional<String> failedBecause() {
        return reasons.newest();
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
        return StartPhase.RECOVERY;
    }

    private void run() {
        while (running) {
            try {
                // A round that waits before it takes partitions fails at nothing, and is no
                // success.
                if (isAnyAttachable() && round() && !isAnyAttachable()) {
                    reasons.clear();
                }
            } catch (Throwable e) {
                failed(e);
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

    private void failed(Throwable e) {
        String reason = DataErrors.reason(e);
        if (reasons.add(reason)) {
            LOG.warn("Attaching failed and is repeated: {}", reason);
        }
    }

    private boolean isAnyAttachable() {
        for (int p = 0; p < fences.partitions().count(); p++) {
            var link = servers.find(p);
            if (fences.of(p) == null && link != null && link.isUp()) {
                return true;
            }
        }
        return false;
    }

    /** Attaches to what can be attached to; returns whether nothing failed. */
    private boolean round() {
        var noted = Set.copyOf(moved);
        List<PartitionRow> all = partitions.all();
        if (all.size() != fences.partitions().count()) {
            throw new IllegalStateException(
                    "the database has %d partitions, this instance %d"
                            .formatted(all.size(), fences.partitions().count()));
        }
        List<PartitionRow> rows = all.stream().filter(row -> fences.of(row.p()) == null).toList();
        var still = new ArrayList<PartitionRow>();
        for (PartitionRow row : rows) {
            int p = row.p();
            if (noted.contains(p) && !isOfAnother(servers.find(p), row)) {
                toEnd.put(p, row.epoch());
            }
            if (!servers.isMoving(p)) {
                still.add(row);
            }
        }
        moved.removeAll(noted);
        boolean well = true;
        for (var one : servers.grouped(still, PartitionRow::p).entrySet()) {
            var incarnation = one.getKey().incarnation();
            if (incarnation.isPresent()) {
                well &= attempted(one.getKey(), incarnation.get(), one.getValue());
            }
        }
        return well;
    }

    /** Returns whether the epoch of a row is certainly of another server: then it ends anyway. */
    private static boolean isOfAnother(@Nullable RedisLink link, PartitionRow row) {
        return link != null
                && link.incarnation().filter(now -> !now.equals(row.incarnation())).isPresent();
    }

    /** A server that fails does not keep the others from being attached to. */
    private boolean attempted(RedisLink link, String incarnation, List<PartitionRow> rows) {
        try {
            attach(link, incarnation, rows);
            return true;
        } catch (Exception e) {
            failed(e);
            return false;
        }
    }

    private void attach(RedisLink link, String incarnation, List<PartitionRow> rows)
            throws Exception {
        OpenedEpoch seen = epochs.look(link, rows, incarnation);
        var attachable = new ArrayList<PartitionRow>();
        var others = new ArrayList<Integer>();
        for (PartitionRow row : seen.rows()) {
            if (seen.isOpen(row) && !mustEnd(row)) {
                attachable.add(row);
            } else if (backoff.mayTake(row, incarnation)) {
                others.add(row.p());
            }
        }
        attach(attachable, "attached");
        if (!others.isEmpty()) {
            List<PartitionRow> opened = epochs.renew(link, others, seen, this::mustEnd);
            attach(opened, "taken");
            if (!opened.isEmpty()) {
                LOG.info("Took {} partitions with new epochs", opened.size());
                sweeper.sweepSoon(link);
            }
        }
        seen.requireAll();
    }

    private boolean mustEnd(PartitionRow row) {
        Long ending = toEnd.get(row.p());
        return ending != null && ending == row.epoch();
    }

    private void attach(List<PartitionRow> rows, String kind) {
        if (rows.isEmpty()) {
            return;
        }
        var ranges = rows.stream().map(row -> new Range(row.p(), row.epoch(), 0)).toList();
        Map<Integer, Set<Long>> rejected = rejections.within(ranges);
        for (PartitionRow row : rows) {
            int p = row.p();
            watermarks.reset(p, row.epoch(), row.appliedSeq(), rejected.getOrDefault(p, Set.of()));
            var fence = new Fence(row.epoch(), row.incarnation());
            fences.attach(p, fence);
            toEnd.remove(p);
            if (moved.contains(p) || servers.isMoving(p)) { // since it was read
                fences.lose(p, fence);
            }
            backoff.attached(p, row.incarnation());
            onAttach.accept(p);
        }
        metrics.recovered(kind, rows.size());
    }
}
