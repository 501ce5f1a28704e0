package dev.ovation.outbox.watermark;

import dev.ovation.store.PartitionRow;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The watermark of each partition, as far as this instance knows it, and its waiters. A watermark
 * always comes with the rejected events below it.
 */
public final class Watermarks {

    private final Watermark[] partitions;

    /** Creates this number of watermarks, each in no epoch yet. */
    public Watermarks(int count) {
        partitions = new Watermark[count];
        for (int p = 0; p < count; p++) {
            partitions[p] = new Watermark();
        }
    }

    /**
     * Signal for a waiter: applied, rejected, or the end of the epoch, after which the waiter must
     * query Postgres.
     */
    public enum CommitSignal {
        APPLIED,
        REJECTED,
        CLOSED
    }

    /** Epoch and last applied event of a partition. */
    public record WatermarkPosition(long epoch, long applied) {

        /** Returns whether a row that was read later is behind: then Postgres was restored. */
        public boolean isAheadOf(PartitionRow row) {
            return row.epoch() < epoch || (row.epoch() == epoch && row.appliedSeq() < applied);
        }
    }

    /** Registers a waiter for an event; the future may already be complete. */
    public CompletableFuture<CommitSignal> await(int p, long epoch, long seq) {
        return partitions[p].await(epoch, seq);
    }

    /** Removes the waiters for an event that gave up: the cancelled ones. */
    public void forgetCancelled(int p, long seq) {
        partitions[p].forgetCancelled(seq);
    }

    /** Records that a relay of this instance is about to apply events up to {@code seq}. */
    public void seen(int p, long epoch, long seq) {
        partitions[p].seen(epoch, seq);
    }

    /** Returns whether a relay of this instance applies an event, or has tried to. */
    public boolean isSeen(int p, long epoch, long seq) {
        return partitions[p].isSeen(epoch, seq);
    }

    /** Returns the position of a partition. */
    public WatermarkPosition position(int p) {
        return partitions[p].position();
    }

    /** Returns the last event of a partition that has a waiter; 0 when none has. */
    public long awaited(int p) {
        return partitions[p].awaited();
    }

    /** Returns the positions in all partitions, in order. */
    public List<WatermarkPosition> positions() {
        return Arrays.stream(partitions).map(Watermark::position).toList();
    }

    /** Returns which events of the current epoch above {@code after} were rejected. */
    public Set<Long> rejected(int p, long after) {
        return partitions[p].rejected(after);
    }

    /**
     * Applies a watermark update.
     *
     * @return false when it starts beyond the watermark known here: then the row must be read
     */
    public boolean advance(int p, long epoch, long from, long to, Collection<Long> rejected) {
        return partitions[p].advance(epoch, from, to, rejected);
    }

    /**
     * Resets the watermark for an epoch; waiters of another epoch get the signal that theirs is
     * closed.
     */
    public void reset(int p, long epoch, long applied, Collection<Long> rejected) {
        partitions[p].reset(epoch, applied, rejected);
    }

    /**
     * Passes every partition to {@code due} that has had a waiter but no update for longer than
     * {@code patience}.
     *
     * @return whether any partition has a waiter
     */
    public boolean overdue(Duration patience, Consumer<Integer> due) {
        long before = System.nanoTime() - patience.toNanos();
        boolean waiting = false;
        for (int p = 0; p < partitions.length; p++) {
            waiting |= partitions[p].isWaitedFor();
            if (partitions[p].overdue(before)) {
                due.accept(p);
            }
        }
        return waiting;
    }

    /** Returns the time that the longest waiter has waited; zero without a waiter. */
    public Duration oldestWait() {
        long now = System.nanoTime();
        long longest = 0;
        for (var partition : partitions) {
            longest = Math.max(longest, partition.longestWait(now));
        }
        return Duration.ofNanos(longest);
    }

    /** Returns the time that the longest waiter of one partition has waited. */
    public Duration oldestWait(int p) {
        return Duration.ofNanos(partitions[p].longestWait(System.nanoTime()));
    }

    /** Returns the number of waiters. */
    public int waiting() {
        int waiting = 0;
        for (var partition : partitions) {
            waiting += partition.waiting();
        }
        return waiting;
    }
}
