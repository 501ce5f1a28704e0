package dev.ovation.hot.state;

import dev.ovation.entity.Partitions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The fences of the partitions to which this instance is attached. */
public final class Fences {

    private final Partitions partitions;
    private final AtomicReferenceArray<@Nullable Fence> fences;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CopyOnWriteArrayList<Runnable> onLoss = new CopyOnWriteArrayList<>();

    public Fences(int partitions) {
        this.partitions = new Partitions(partitions);
        this.fences = new AtomicReferenceArray<>(partitions);
    }

    /** Adds a listener for lost fences. */
    public void onLoss(Runnable listener) {
        onLoss.add(listener);
    }

    public Partitions partitions() {
        return partitions;
    }

    /** Returns the fence of a partition; null while it is detached. */
    public @Nullable Fence of(int p) {
        return fences.get(p);
    }

    /** Returns the fence of a partition, waiting for it at most {@code bound}; null after that. */
    public @Nullable Fence await(int p, Duration bound) {
        var fence = fences.get(p);
        if (fence != null) {
            return fence;
        }
        long left = bound.toNanos();
        lock.lock();
        try {
            while ((fence = fences.get(p)) == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            return fence;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Attaches to a partition. */
    public void attach(int p, Fence fence) {
        fences.set(p, fence);
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Detaches from a partition, unless its fence is no longer {@code seen}. */
    public void lose(int p, Fence seen) {
        var current = fences.get(p);
        if (seen.equals(current) && fences.compareAndSet(p, current, null)) {
            onLoss.forEach(Runnable::run);
        }
    }

    /** Condition for the end of an attachment. */
    public interface LossCondition {
        boolean isLost(int p, Fence fence);
    }

    /** Detaches from all partitions whose fence meets the condition. */
    public void loseIf(LossCondition condition) {
        boolean lost = false;
        for (int p = 0; p < fences.length(); p++) {
            var current = fences.get(p);
            if (current != null && condition.isLost(p, current)) {
                lost |= fences.compareAndSet(p, current, null);
            }
        }
        if (lost) {
            onLoss.forEach(Runnable::run);
        }
    }

    /** Detaches from all partitions. */
    public void loseAll() {
        for (int p = 0; p < fences.length(); p++) {
            fences.set(p, null);
        }
        onLoss.forEach(Runnable::run);
    }

    /** Returns how many partitions this instance is attached to. */
    public int attached() {
        int attached = 0;
        for (int p = 0; p < fences.length(); p++) {
            attached += fences.get(p) == null ? 0 : 1;
        }
        return attached;
    }
}
