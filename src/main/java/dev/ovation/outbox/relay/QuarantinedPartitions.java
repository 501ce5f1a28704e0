package dev.ovation.outbox.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The quarantine: partitions whose relay cycle failed although Postgres works. Causes are a damaged
 * page of the partition, or another transaction that locks its rows. The relay tries each of them
 * alone, until that succeeds, so that one delays no other.
 */
final class QuarantinedPartitions {

    private final Map<Integer, Trial> all = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);

    /**
     * State of one partition.
     *
     * @param guilty whether it failed alone as well
     * @param next when to try it
     */
    private record Trial(boolean guilty, long next) {
        private boolean isDue() {
            return System.nanoTime() - next >= 0;
        }
    }

    void add(Collection<Integer> partitions) {
        partitions.forEach(p -> all.putIfAbsent(p, new Trial(false, System.nanoTime())));
        wake.release();
    }

    boolean contains(int p) {
        return all.containsKey(p);
    }

    /** Returns whether a partition failed alone as well. */
    boolean isGuilty(int p) {
        var trial = all.get(p);
        return trial != null && trial.guilty();
    }

    Set<Integer> guilty() {
        return all.keySet().stream()
                .filter(this::isGuilty)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns a partition to try, first one that has not failed alone; waits at most {@code millis}
     * for it.
     */
    OptionalInt next(long millis) throws InterruptedException {
        var next = due();
        if (next.isEmpty() && wake.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            wake.drainPermits();
            next = due();
        }
        return next;
    }

    private OptionalInt due() {
        return all.entrySet().stream()
                .filter(one -> one.getValue().isDue())
                .sorted(Comparator.comparing(one -> one.getValue().guilty()))
                .mapToInt(Map.Entry::getKey)
                .findFirst();
    }

    /** Records that a partition must be tried again. */
    void failed(int p, boolean guilty, Duration pause) {
        all.put(p, new Trial(guilty, System.nanoTime() + pause.toNanos()));
    }

    /** Records that a relay cycle over a partition succeeded. */
    void acquit(int p) {
        all.remove(p);
    }
}
