package dev.ovation.outbox;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The partitions that are to be looked at; each is in the hands of one relay thread at a time. */
final class Due {

    private final Pace pace = new Pace();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private final Condition paced = lock.newCondition();
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

    /**
     * Takes all that are due and free when the next pass may begin, waiting at most so long for the
     * first.
     */
    List<Integer> take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            awaitFirst(end);
            long now = System.nanoTime();
            BitSet free = free();
            if (!free.isEmpty()) {
                pace.begun(now);
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

    /**
     * While it is too early for those that are due, more of them come; nobody is woken for each.
     */
    private void awaitFirst(long end) throws InterruptedException {
        while (true) {
            long now = System.nanoTime();
            long left = free().isEmpty() ? end - now : pace.left(now);
            if (left <= 0) {
                return;
            }
            var _ = (free().isEmpty() ? ready : paced).awaitNanos(left);
        }
    }

    /** Takes in how many events a pass applied or rejected, and how long it took. */
    void passed(int events, long nanos) {
        pace.ended(events, nanos);
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
