package dev.ovation.outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The partitions that are due; one relay thread at a time holds each. While one thread holds
 * partitions the next thread waits for the exclusive window. Partitions that become due meanwhile
 * make one larger batch instead of many small ones, and only a long relay cycle is overtaken.
 */
public final class DuePartitions {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private final BitSet due = new BitSet();
    private final BitSet taken = new BitSet();
    private final long alone;
    private long takenAt;

    /**
     * Creates an empty queue; {@code alone} is the exclusive window of a thread that holds
     * partitions.
     */
    public DuePartitions(Duration alone) {
        this.alone = alone.toNanos();
    }

    void add(int p) {
        lock.lock();
        try {
            if (!due.get(p)) {
                due.set(p);
                ready.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes all due and free partitions; waits at most {@code millis} for the first. */
    List<Integer> take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            long wait;
            while ((wait = untilFree(left)) > 0) {
                left -= wait - ready.awaitNanos(wait);
            }
            BitSet free = aloneFor() > 0 ? new BitSet() : free();
            if (!free.isEmpty()) {
                takenAt = System.nanoTime();
            }
            due.andNot(free);
            taken.or(free);
            var list = new ArrayList<Integer>(free.cardinality());
            free.stream().forEach(list::add);
            return list;
        } finally {
            lock.unlock();
        }
    }

    /** Releases partitions. */
    void release(List<Integer> partitions) {
        lock.lock();
        try {
            partitions.forEach(taken::clear);
            takenAt = System.nanoTime() - alone; // other holders were overtaken already
            if (!free().isEmpty()) {
                ready.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a relay cycle holds this partition. */
    boolean isTaken(int p) {
        lock.lock();
        try {
            return taken.get(p);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return due.isEmpty() && taken.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many of the nanoseconds left to wait before any partition may be taken. */
    private long untilFree(long left) {
        if (free().isEmpty()) {
            return left;
        }
        return Math.min(left, aloneFor());
    }

    private long aloneFor() {
        return taken.isEmpty() ? 0 : takenAt + alone - System.nanoTime();
    }

    private BitSet free() {
        var free = (BitSet) due.clone();
        free.andNot(taken);
        return free;
    }
}
