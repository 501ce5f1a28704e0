package dev.ovation.outbox;

import dev.ovation.store.PartitionRow;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Keeps two servers that both claim a partition from taking it in turn without end: who would take
 * back what changed hands less than a minute ago first pauses, at random and longer each time.
 */
final class Contest {

    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
    private static final int MOST_DOUBLINGS = 6;

    private final Map<Integer, State> states = new HashMap<>();

    private record State(long foreignEpoch, int times, long notBefore) {}

    /** Returns whether to take this partition for {@code incarnation} now. */
    synchronized boolean mayTake(PartitionRow row, String incarnation) {
        boolean changedHands =
                row.epoch() > 1
                        && !row.incarnation().equals(incarnation)
                        && row.ageMillis() < MINUTE;
        var state = states.get(row.p());
        if (!changedHands) {
            return true;
        }
        long now = System.nanoTime();
        if (state == null || state.foreignEpoch() != row.epoch()) {
            int times = state == null ? 0 : Math.min(state.times() + 1, MOST_DOUBLINGS);
            long pause = TimeUnit.MILLISECONDS.toNanos(500L << times);
            long random = ThreadLocalRandom.current().nextLong(pause / 2, pause);
            state = new State(row.epoch(), times, now + random);
            states.put(row.p(), state);
        }
        return now - state.notBefore() >= 0;
    }

    /** Forgets, when a partition stayed attached for a minute, in {@link #contested()}. */
    synchronized void attached(int p) {
        states.computeIfPresent(
                p, (_, state) -> new State(state.foreignEpoch(), state.times(), System.nanoTime()));
    }

    /** Returns the partitions that were taken back and forth within the last minute. */
    synchronized Set<Integer> contested() {
        long now = System.nanoTime();
        states.values().removeIf(state -> now - state.notBefore() > TimeUnit.MINUTES.toNanos(1));
        var contested = new TreeSet<Integer>();
        states.forEach(
                (p, state) -> {
                    if (state.times() > 0) {
                        contested.add(p);
                    }
                });
        return contested;
    }
}
