package dev.ovation.outbox;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The partitions that are to be looked at; each is in the hands of one relay thread at a time. */
final class Due {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private final BitSet due = new BitSet();
    private final BitSet taken = new BitSet();

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

    /** Takes all that are due and free, waiting at most so long for the first. */
    List<Integer> take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (free().isEmpty() && left > 0) {
                left = ready.awaitNanos(left);
            }
            BitSet free = free();
            due.andNot(free);
            taken.or(free);
            var list = new ArrayList<Integer>(free.cardinality());
            free.stream().forEach(list::add);
            return list;
        } finally {
            lock.unlock();
        }
    }

    /** Gives partitions back. */
    void release(List<Integer> partitions) {
        lock.lock();
        try {
            partitions.forEach(taken::clear);
            if (!free().isEmpty()) {
                ready.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a pass has this partition in hand. */
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

    private BitSet free() {
        var free = (BitSet) due.clone();
        free.andNot(taken);
        return free;
    }
}
