package dev.ovation.outbox.relay;

import dev.ovation.store.shard.Shards;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

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
    private final Map<Long, Long> takenAt = new HashMap<>();
    private final long alone;
    private final Shards shards;
    private int turn;

    /**
     * Creates an empty queue; {@code alone} is the exclusive window of a thread that holds
     * partitions of a shard.
     */
    public DuePartitions(Duration alone, Shards shards) {
        this.alone = alone.toNanos();
        this.shards = shards;
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

    /**
     * Takes all due and free partitions of a shard; waits at most {@code millis} for the first. The
     * shards take turns.
     */
    List<Integer> take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            long wait;
            while ((wait = untilFree(left)) > 0) {
                left -= wait - ready.awaitNanos(wait);
            }
            var list = next();
            list.forEach(
                    p -> {
                        due.clear(p);
                        taken.set(p);
                    });
            return list;
        } finally {
            lock.unlock();
        }
    }

    /** Releases partitions. */
    void release(List<Integer> partitions) {
        lock.lock();
        try {
            long overtaken = System.nanoTime() - alone; // as other holders of the shard already
            for (int p : partitions) {
                taken.clear(p);
                takenAt.put(shards.of(p), overtaken);
            }
            if (!free().isEmpty()) {
                ready.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of shards. */
    int shards() {
        return shards.all().size();
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
        BitSet free = free();
        if (!shards.areMany()) {
            return free.isEmpty() ? left : Math.min(left, aloneFor(0));
        }
        long wait = left;
        for (int p = free.nextSetBit(0); p >= 0 && wait > 0; p = free.nextSetBit(p + 1)) {
            wait = Math.min(wait, aloneFor(shards.of(p)));
        }
        return wait;
    }

    /** Returns the partitions of the shard whose turn it is; none if each must wait. */
    private List<Integer> next() {
        BitSet free = free();
        if (!shards.areMany()) {
            if (free.isEmpty() || aloneFor(0) > 0) {
                return List.of();
            }
            takenAt.put(0L, System.nanoTime());
            return free.stream().boxed().toList();
        }
        var first =
                IntStream.concat(
                                free.stream().filter(p -> p >= turn),
                                free.stream().filter(p -> p < turn))
                        .filter(p -> aloneFor(shards.of(p)) <= 0)
                        .findFirst();
        if (first.isEmpty()) {
            return List.of();
        }
        long shard = shards.of(first.getAsInt());
        turn = first.getAsInt() + 1;
        takenAt.put(shard, System.nanoTime());
        return free.stream().filter(p -> shards.of(p) == shard).boxed().toList();
    }

    /** Returns how long another thread may still hold a shard alone. */
    private long aloneFor(long shard) {
        for (int p = taken.nextSetBit(0); p >= 0; p = taken.nextSetBit(p + 1)) {
            if (shards.of(p) == shard) {
                return takenAt.getOrDefault(shard, 0L) + alone - System.nanoTime();
            }
        }
        return 0;
    }

    private BitSet free() {
        var free = (BitSet) due.clone();
        free.andNot(taken);
        return free;
    }
}
