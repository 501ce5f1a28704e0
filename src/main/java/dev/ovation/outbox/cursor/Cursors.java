package dev.ovation.outbox.cursor;

import dev.ovation.store.PartitionRow;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * How far each partition is applied, as far as this instance knows, and who waits for more. A
 * cursor always comes with the rejected events that it passed.
 */
public final class Cursors {

    private final Cursor[] partitions;

    /** Of so many partitions, each in no epoch yet. */
    public Cursors(int count) {
        partitions = new Cursor[count];
        for (int p = 0; p < count; p++) {
            partitions[p] = new Cursor();
        }
    }

    /**
     * What a waiter hears: applied, rejected, or that the epoch ended and Postgres must be asked.
     */
    public enum News {
        APPLIED,
        REJECTED,
        CLOSED
    }

    /** Where a partition stands. */
    public record Position(long epoch, long applied) {

        /** Returns whether a row that was read later lies behind: Postgres was restored. */
        public boolean isAheadOf(PartitionRow row) {
            return row.epoch() < epoch || (row.epoch() == epoch && row.appliedSeq() < applied);
        }
    }

    /** Registers a waiter for an event; it may be told at once. */
    public CompletableFuture<News> await(int p, long epoch, long seq) {
        return partitions[p].await(epoch, seq);
    }

    /** Forgets the waiters for an event that gave up: those that are cancelled. */
    public void forgetCancelled(int p, long seq) {
        partitions[p].forgetCancelled(seq);
    }

    /** Takes in that a relay of this instance is about to apply events up to {@code seq}. */
    public void seen(int p, long epoch, long seq) {
        partitions[p].seen(epoch, seq);
    }

    /** Returns whether an event is in the hands of a relay of this instance, or was. */
    public boolean isSeen(int p, long epoch, long seq) {
        return partitions[p].isSeen(epoch, seq);
    }

    /** Returns where a partition stands. */
    public Position position(int p) {
        return partitions[p].position();
    }

    /** Returns the positions in all partitions, in order. */
    public List<Position> positions() {
        return Arrays.stream(partitions).map(Cursor::position).toList();
    }

    /** Returns which events of the current epoch above {@code after} were rejected. */
    public Set<Long> rejected(int p, long after) {
        return partitions[p].rejected(after);
    }

    /**
     * Takes in a step of a cursor.
     *
     * @return false when it starts beyond what is known here: then the row must be read
     */
    public boolean advance(int p, long epoch, long from, long to, Collection<Long> rejected) {
        return partitions[p].advance(epoch, from, to, rejected);
    }

    /** Begins anew in an epoch; waiters of another are told that theirs is closed. */
    public void reset(int p, long epoch, long applied, Collection<Long> rejected) {
        partitions[p].reset(epoch, applied, rejected);
    }

    /**
     * Tells every partition in which somebody waits without news for longer than {@code patience}.
     */
    public void overdue(Duration patience, Consumer<Integer> due) {
        long before = System.nanoTime() - patience.toNanos();
        for (int p = 0; p < partitions.length; p++) {
            if (partitions[p].overdue(before)) {
                due.accept(p);
            }
        }
    }

    /** Returns how long the longest waiter has been waiting; zero when nobody waits. */
    public Duration oldestWait() {
        long now = System.nanoTime();
        long longest = 0;
        for (var partition : partitions) {
            longest = Math.max(longest, partition.longestWait(now));
        }
        return Duration.ofNanos(longest);
    }

    /** Returns how long the longest waiter of one partition has been waiting. */
    public Duration oldestWait(int p) {
        return Duration.ofNanos(partitions[p].longestWait(System.nanoTime()));
    }

    /** Returns how many wait. */
    public int waiting() {
        int waiting = 0;
        for (var partition : partitions) {
            waiting += partition.waiting();
        }
        return waiting;
    }
}
