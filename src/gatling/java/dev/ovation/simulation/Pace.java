package dev.ovation.simulation;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When turns begin, the same for all users, and by how many of them a user is late. The first turn
 * begins one turn after the first user logged in.
 */
final class Pace {

    private static final long NOT_YET = Long.MIN_VALUE;

    private final long turnNanos;
    private final int warmUp;
    private final int maxLag;
    private final LongSupplier clock;
    private final AtomicLong origin = new AtomicLong(NOT_YET);
    private final AtomicInteger lag = new AtomicInteger();

    /**
     * @param warmUp turns during which being late does not count
     * @param maxLag how many turns late is still in pace
     * @param clock in nanoseconds
     */
    Pace(Duration turn, int warmUp, int maxLag, LongSupplier clock) {
        this.turnNanos = turn.toNanos();
        this.warmUp = warmUp;
        this.maxLag = maxLag;
        this.clock = clock;
    }

    /** A user logs in. */
    void begin() {
        origin.compareAndSet(NOT_YET, clock.getAsLong());
    }

    /**
     * A user is ready for a turn, counted from 0; the one after the last is the end.
     *
     * @param hesitation how long after the turn's start the user means to begin
     * @return what is left until then, zero when that is over already
     */
    Duration arrive(int turn, Duration hesitation) {
        long early = origin.get() + (turn + 1) * turnNanos - clock.getAsLong();
        if (turn >= warmUp) {
            lag.accumulateAndGet((int) Math.max(0, -early / turnNanos), Math::max);
        }
        return Duration.ofNanos(Math.max(0, early + hesitation.toNanos()));
    }

    /** Whether a turn is measured. */
    boolean measures(int turn) {
        return turn >= warmUp;
    }

    /** By how many whole turns the latest user was late. */
    int lag() {
        return lag.get();
    }

    boolean behind() {
        return lag() > maxLag;
    }
}
