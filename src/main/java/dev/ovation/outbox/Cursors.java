package dev.ovation.outbox;

import dev.ovation.store.PartitionRow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * How far each partition is applied, as far as this instance knows, and who waits for more. A
 * cursor always comes with the rejected events that it passed.
 */
final class Cursors {

    /** Events back to which rejections are remembered: nothing hot rests on an older one. */
    private static final long REMEMBERED = 1_000_000;

    private final Partition[] partitions;

    Cursors(int count) {
        partitions = new Partition[count];
        for (int p = 0; p < count; p++) {
            partitions[p] = new Partition();
        }
    }

    /**
     * What a waiter hears: applied, rejected, or that the epoch ended and Postgres must be asked.
     */
    enum News {
        APPLIED,
        REJECTED,
        CLOSED
    }

    /** Where a partition stands. */
    record Position(long epoch, long applied) {

        /** Returns whether a row that was read later lies behind: Postgres was restored. */
        boolean isAheadOf(PartitionRow row) {
            return row.epoch() < epoch || (row.epoch() == epoch && row.appliedSeq() < applied);
        }
    }

    private record Waiter(long since, CompletableFuture<News> news) {}

    /** Registers a waiter for an event; it may be told at once. */
    CompletableFuture<News> await(int p, long epoch, long seq) {
        return partitions[p].await(epoch, seq);
    }

    /** Forgets the waiters for an event that gave up: those that are cancelled. */
    void forgetCancelled(int p, long seq) {
        partitions[p].forgetCancelled(seq);
    }

    Position position(int p) {
        return partitions[p].position();
    }

    /** Returns the positions in all partitions, in order. */
    List<Position> positions() {
        return Arrays.stream(partitions).map(Partition::position).toList();
    }

    /** Returns which events of the current epoch above {@code after} were rejected. */
    Set<Long> rejected(int p, long after) {
        return partitions[p].rejected(after);
    }

    /**
     * Takes in a step of a cursor.
     *
     * @return false when it starts beyond what is known here: then the row must be read
     */
    boolean advance(int p, long epoch, long from, long to, Collection<Long> rejected) {
        return partitions[p].advance(epoch, from, to, rejected);
    }

    /** Begins anew in an epoch; waiters of another are told that theirs is closed. */
    void reset(int p, long epoch, long applied, Collection<Long> rejected) {
        partitions[p].reset(epoch, applied, rejected);
    }

    /**
     * Tells every partition in which somebody waits without news for longer than {@code patience}.
     */
    void overdue(Duration patience, Consumer<Integer> due) {
        long before = System.nanoTime() - patience.toNanos();
        for (int p = 0; p < partitions.length; p++) {
            if (partitions[p].overdue(before)) {
                due.accept(p);
            }
        }
    }

    /** Returns how long the longest waiter has been waiting; zero when nobody waits. */
    Duration oldestWait() {
        long now = System.nanoTime();
        long longest = 0;
        for (var partition : partitions) {
            longest = Math.max(longest, partition.longestWait(now));
        }
        return Duration.ofNanos(longest);
    }

    /** Returns how long the longest waiter of one partition has been waiting. */
    Duration oldestWait(int p) {
        return Duration.ofNanos(partitions[p].longestWait(System.nanoTime()));
    }

    /** Returns how many wait. */
    int waiting() {
        int waiting = 0;
        for (var partition : partitions) {
            waiting += partition.waiting();
        }
        return waiting;
    }

    /** The state of one partition; its methods lock it, and waiters are told outside the lock. */
    private static final class Partition {
        private long epoch;
        private long applied;
        private final TreeSet<Long> rejected = new TreeSet<>();
        private final TreeMap<Long, List<Waiter>> waiters = new TreeMap<>();
        private long newsAt = System.nanoTime();

        synchronized Position position() {
            return new Position(epoch, applied);
        }

        synchronized Set<Long> rejected(long after) {
            return Set.copyOf(rejected.tailSet(after, false));
        }

        synchronized CompletableFuture<News> await(long ofEpoch, long seq) {
            if (ofEpoch != epoch) {
                return CompletableFuture.completedFuture(News.CLOSED);
            }
            if (seq <= applied) {
                return CompletableFuture.completedFuture(verdict(seq));
            }
            var news = new CompletableFuture<News>();
            waiters.computeIfAbsent(seq, _ -> new ArrayList<>(2))
                    .add(new Waiter(System.nanoTime(), news));
            return news;
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
            Map<CompletableFuture<News>, News> told;
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
                told = take(waiters.headMap(to, true));
            }
            told.forEach(CompletableFuture::complete);
            return true;
        }

        void reset(long newEpoch, long nowApplied, Collection<Long> exceptions) {
            Map<CompletableFuture<News>, News> told;
            synchronized (this) {
                boolean closed = newEpoch != epoch;
                epoch = newEpoch;
                applied = nowApplied;
                rejected.clear();
                rejected.addAll(exceptions);
                newsAt = System.nanoTime();
                if (closed) {
                    told = take(waiters);
                    told.replaceAll((_, _) -> News.CLOSED);
                } else {
                    told = take(waiters.headMap(nowApplied, true));
                }
            }
            told.forEach(CompletableFuture::complete);
        }

        private Map<CompletableFuture<News>, News> take(Map<Long, List<Waiter>> part) {
            var told = new HashMap<CompletableFuture<News>, News>();
            for (Iterator<Map.Entry<Long, List<Waiter>>> all = part.entrySet().iterator();
                    all.hasNext(); ) {
                var entry = all.next();
                for (var waiter : entry.getValue()) {
                    told.put(waiter.news(), verdict(entry.getKey()));
                }
                all.remove();
            }
            return told;
        }

        private News verdict(long seq) {
            return rejected.contains(seq) ? News.REJECTED : News.APPLIED;
        }

        synchronized boolean overdue(long before) {
            return !waiters.isEmpty() && newsAt < before && oldest() < before;
        }

        synchronized long longestWait(long now) {
            return waiters.isEmpty() ? 0 : now - oldest();
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
}
