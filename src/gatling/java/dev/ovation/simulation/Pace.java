package dev.ovation.simulation;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When turns begin, the same for all users, and by how many of them a user is late. The first turn
 * begins one turn after the first user logged in; the others log in evenly over the first half of
 * the warm-up, for a service whose code is not compiled yet would refuse all of them at once.
 */
final class Pace {

    private static final long NOT_YET = Long.MIN_VALUE;

    private final long turnNanos;
    private final int users;
    private final int warmUp;
    private final int maxLag;
    private final LongSupplier clock;
    private final AtomicLong origin = new AtomicLong(NOT_YET);
    private final AtomicInteger lag = new AtomicInteger();
    private final AtomicIntegerArray arrived;

    /**
     * @param turns of each user, the end not counted
     * @param warmUp turns during which being late does not count
     * @param maxLag how many turns late is still in pace
     * @param clock in nanoseconds
     */
    Pace(Duration turn, int users, int turns, int warmUp, int maxLag, LongSupplier clock) {
        this.turnNanos = turn.toNanos();
        this.users = users;
        this.arrived = new AtomicIntegerArray(turns + 1);
        this.warmUp = warmUp;
        this.maxLag = maxLag;
        this.clock = clock;
    }

    /** The time in which all users log in. */
    Duration login() {
        return Duration.ofNanos(warmUp * turnNanos / 2);
    }

    /** The first turn of a user who logs in so long after the first one. */
    int turnAfter(Duration login) {
        return (int) (login.toNanos() / turnNanos);
    }

    /** The first user is there. */
    void begin() {
        origin.compareAndSet(NOT_YET, clock.getAsLong());
    }

    /**
     * The turn that follows one. Whoever is late in the warm-up leaves out what is over, for to
     * catch up would be a load that nobody asked for.
     */
    int after(int turn) {
        int now = (int) (elapsed() / turnNanos) - 1;
        return Math.max(turn + 1, Math.min(now, warmUp));
    }

    /**
     * A user is ready for a turn, counted from 0; the one after the last is the end.
     *
     * @param hesitation how long after the turn's start the user means to begin
     * @return what is left until then, zero when that is over already
     */
    Duration arrive(int turn, Duration hesitation) {
        arrived.incrementAndGet(turn);
        long early = (turn + 1) * turnNanos - elapsed();
        if (turn >= warmUp) {
            late((int) Math.max(0, -early / turnNanos));
        }
        return Duration.ofNanos(Math.max(0, early + hesitation.toNanos()));
    }

    /** Looks for users who still wait in an earlier turn and would never be seen to be late. */
    void look() {
        if (origin.get() == NOT_YET) {
            return;
        }
        long due = elapsed() / turnNanos - maxLag - 2;
        int turn = (int) Math.min(due, arrived.length() - 1);
        if (turn >= warmUp && arrived.get(turn) < users) {
            late(maxLag + 1);
        }
    }

    /** Since the first user logged in. */
    private long elapsed() {
        return clock.getAsLong() - origin.get();
    }

    private void late(int turns) {
        lag.accumulateAndGet(turns, Math::max);
    }

    /** How long all of it takes at most, with the latest user still in pace. */
    Duration longest() {
        return Duration.ofNanos((arrived.length() + maxLag + 1L) * turnNanos);
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
