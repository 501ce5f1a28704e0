package dev.ovation.outbox.recovery;

import dev.ovation.store.PartitionRow;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Prevents two servers that both claim a partition from taking it in turn without end. When another
 * server took a partition from the server to which this instance is still attached, this instance
 * takes it back only after a pause. The pause is random and grows each time. A restarted server is
 * another incarnation, and causes no pause.
 */
final class TakeoverBackoff {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_DOUBLINGS = 6;

    private final Map<Integer, String> attached = new HashMap<>();
    private final Map<Integer, TakeoverPause> pauses = new HashMap<>();

    private record TakeoverPause(long foreignEpoch, int times, long until) {}

    /** Returns whether to take this partition for {@code incarnation} now. */
    synchronized boolean mayTake(PartitionRow row, String incarnation) {
        boolean contested =
                incarnation.equals(attached.get(row.p())) && !incarnation.equals(row.incarnation());
        if (!contested) {
            return true;
        }
        forget();
        long now = System.nanoTime();
        var pause = pauses.get(row.p());
        if (pause == null || pause.foreignEpoch() != row.epoch()) {
            int times = pause == null ? 0 : Math.min(pause.times() + 1, MOST_DOUBLINGS);
            long longest = TimeUnit.MILLISECONDS.toNanos(500L << times);
            long random = ThreadLocalRandom.current().nextLong(longest / 2, longest);
            pause = new TakeoverPause(row.epoch(), times, now + random);
            pauses.put(row.p(), pause);
        }
        return now - pause.until() >= 0;
    }

    /** Records that this instance is attached to a partition on this server. */
    synchronized void attached(int p, String incarnation) {
        attached.put(p, incarnation);
    }

    /** Returns the partitions that two servers claimed within the last minute. */
    synchronized Set<Integer> contested() {
        forget();
        return new TreeSet<>(pauses.keySet());
    }

    private void forget() {
        long now = System.nanoTime();
        pauses.values().removeIf(pause -> now - pause.until() > MINUTE);
    }
}
