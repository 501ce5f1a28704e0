package dev.ovation.store.replica;

import java.time.Duration;
import java.util.HexFormat;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The beats of this instance. A beat is a number that the instance writes to the primary; what
 * shows the beat includes all that was committed before the instance sent it. So the age of a
 * snapshot is at most the time since the newest beat in it was sent. All times are those of {@link
 * System#nanoTime} on this instance, so that no clocks are compared.
 */
final class Beats {

    private final String instance =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    private final long most;
    private final NavigableMap<Long, Long> times = new TreeMap<>();
    private long sent;
    private long seen;
    private long seenSentAt;

    /**
     * Creates the beats of an instance.
     *
     * @param most age after which a beat is forgotten
     */
    Beats(Duration most) {
        this.most = most.toNanos();
    }

    /** Returns the id of this instance, which no other process has. */
    String instance() {
        return instance;
    }

    /** Returns the next beat, to be sent now. */
    synchronized long next(long now) {
        while (!times.isEmpty() && now - times.firstEntry().getValue() > most) {
            times.pollFirstEntry();
        }
        if (sent == 0) {
            seenSentAt = now;
        }
        times.put(++sent, now);
        return sent;
    }

    /** Returns the position that includes all that is committed now. */
    synchronized ReplicaPosition position() {
        return new ReplicaPosition(instance, sent + 1);
    }

    /** Records the newest beat in a snapshot; returns the age of the snapshot in nanoseconds. */
    synchronized long saw(long beat, long now) {
        Long at = times.get(beat);
        if (at == null) {
            return Long.MAX_VALUE;
        }
        if (beat > seen) {
            seen = beat;
            seenSentAt = at;
        }
        return now - at;
    }

    /** Returns the newest beat that was seen; 0 for none. */
    synchronized long seen() {
        return seen;
    }

    /**
     * Returns the time since the newest seen beat was sent, in nanoseconds; until one is seen,
     * since the first was sent; 0 before.
     */
    synchronized long age(long now) {
        return sent == 0 ? 0 : now - seenSentAt;
    }
}
