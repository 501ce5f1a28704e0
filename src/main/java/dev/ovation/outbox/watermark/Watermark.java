package dev.ovation.outbox.watermark;

import dev.ovation.outbox.watermark.Watermarks.CommitSignal;
import dev.ovation.outbox.watermark.Watermarks.WatermarkPosition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Watermark of one partition and its waiters. The methods lock it; waiters are completed outside
 * the lock.
 */
final class Watermark {

    /** Events back to which rejections are kept: no hot state depends on an older one. */
    private static final long REMEMBERED = 1_000_000;

    private long epoch;
    private long applied;
    private long seen;
    private final TreeSet<Long> rejected = new TreeSet<>();
    private final TreeMap<Long, List<Waiter>> waiters = new TreeMap<>();
    private long newsAt = System.nanoTime();

    private record Waiter(long since, CompletableFuture<CommitSignal> news) {}

    synchronized WatermarkPosition position() {
        return new WatermarkPosition(epoch, applied);
    }

    synchronized void seen(long ofEpoch, long seq) {
        if (ofEpoch == epoch) {
            seen = Math.max(seen, seq);
        }
    }

    synchronized boolean isSeen(long ofEpoch, long seq) {
        return ofEpoch == epoch && seq <= seen;
    }

    synchronized Set<Long> rejected(long after) {
        return Set.copyOf(rejected.tailSet(after, false));
    }

    synchronized CompletableFuture<CommitSignal> await(long ofEpoch, long seq) {
        if (ofEpoch != epoch) {
            return CompletableFuture.completedFuture(CommitSignal.CLOSED);
        }
        if (seq <= applied) {
            return CompletableFuture.completedFuture(verdict(seq));
        }
        var news = new CompletableFuture<CommitSignal>();
        waiters.computeIfAbsent(seq, _ -> new ArrayList<>(2))
                .add(new Waiter(System.nanoTime(), news));
        return news;
    }

    synchronized long awaited() {
        return isWaitedFor() ? waiters.lastKey() : 0;
    }

    synchronized void forgetCancelled(long seq) {
        waiters.computeIfPresent(
                seq,
                (_, list) -> {
                    list.removeIf(waiter -> waiter.news().isCancelled());
                    return list.isEmpty() ? null : list;
                });
    }

    boolean advance(long ofEpoch, long from, long to, Collection<Long> exceptions) {
        Map<CompletableFuture<CommitSignal>, CommitSignal> signals;
        synchronized (this) {
            if (ofEpoch != epoch || to <= applied) {
                return true;
            }
            if (from > applied) {
                return false;
            }
            rejected.addAll(exceptions);
            rejected.headSet(to - REMEMBERED).clear();
            applied = to;
            newsAt = System.nanoTime();
            signals = take(waiters.headMap(to, true));
        }
        signals.forEach(CompletableFuture::complete);
        return true;
    }

    void reset(long newEpoch, long nowApplied, Collection<Long> exceptions) {
        Map<CompletableFuture<CommitSignal>, CommitSignal> signals;
        synchronized (this) {
            boolean closed = newEpoch != epoch;
            epoch = newEpoch;
            applied = nowApplied;
            seen = nowApplied;
            rejected.clear();
            rejected.addAll(exceptions);
            newsAt = System.nanoTime();
            if (closed) {
                signals = take(waiters);
                signals.replaceAll((_, _) -> CommitSignal.CLOSED);
            } else {
                signals = take(waiters.headMap(nowApplied, true));
            }
        }
        signals.forEach(CompletableFuture::complete);
    }

    private Map<CompletableFuture<CommitSignal>, CommitSignal> take(Map<Long, List<Waiter>> part) {
        var signals = new HashMap<CompletableFuture<CommitSignal>, CommitSignal>();
        for (Iterator<Map.Entry<Long, List<Waiter>>> all = part.entrySet().iterator();
                all.hasNext(); ) {
            var entry = all.next();
            for (var waiter : entry.getValue()) {
                signals.put(waiter.news(), verdict(entry.getKey()));
            }
            all.remove();
        }
        return signals;
    }

    private CommitSignal verdict(long seq) {
        return rejected.contains(seq) ? CommitSignal.REJECTED : CommitSignal.APPLIED;
    }

    synchronized boolean isWaitedFor() {
        return !waiters.isEmpty();
    }

    synchronized boolean overdue(long before) {
        return isWaitedFor() && newsAt < before && oldest() < before;
    }

    synchronized long longestWait(long now) {
        return isWaitedFor() ? now - oldest() : 0;
    }

    synchronized int waiting() {
        return waiters.values().stream().mapToInt(List::size).sum();
    }

    private long oldest() {
        long oldest = Long.MAX_VALUE;
        for (var waiter : waiters.firstEntry().getValue()) {
            oldest = Math.min(oldest, waiter.since());
        }
        return oldest;
    }
}
