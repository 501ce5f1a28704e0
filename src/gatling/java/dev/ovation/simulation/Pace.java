package dev.ovation.simulation;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Start times of turns, the same for all users, and the number of turns by which a user is late.
 * The first turn begins one turn after the first user logged in. The other users log in evenly over
 * the first half of the warm-up, because a service whose code is not compiled yet would refuse
 * simultaneous logins.
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
     * @param warmUp turns during which a delay does not count
     * @param maxLag greatest delay in turns that counts as in pace
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

    /** The first turn of a user with this delay between the first login and its own. */
    int turnAfter(Duration login) {
        return (int) (login.toNanos() / turnNanos);
    }

    /** Registers the login of the first user. */
    void begin() {
        origin.compareAndSet(NOT_YET, clock.getAsLong());
    }

    /**
     * The turn after this one. A late user in the warm-up omits past turns, because catching up
     * would be additional load.
     */
    int after(int turn) {
        int now = (int) (elapsed() / turnNanos) - 1;
        return Math.max(turn + 1, Math.min(now, warmUp));
    }

    /**
     * Registers that a user is ready for a turn, counted from 0; the one after the last is the end.
     *
     * @param hesitation the user's delay after the start of the turn
     * @return time until the user begins; zero if that is past
     */
    Duration arrive(int turn, Duration hesitation) {
        arrived.incrementAndGet(turn);
        long early = (turn + 1) * turnNanos - elapsed();
        if (turn >= warmUp) {
            late((int) Math.max(0, -early / turnNanos));
        }
        return Duration.ofNanos(Math.max(0, early + hesitation.toNanos()));
    }

    /**
     * Detects users that still wait in an earlier turn, whose delay would not be noticed otherwise.
     */
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

    /** Time since the first user logged in. */
    private long elapsed() {
        return clock.getAsLong() - origin.get();
    }

    private void late(int turns) {
        lag.accumulateAndGet(turns, Math::max);
    }

    /** Greatest duration of the whole run, with the latest user still in pace. */
    Duration longest() {
        return Duration.ofNanos((arrived.length() + maxLag + 1L) * turnNanos);
    }

    /** Whether a turn is measured. */
    boolean measures(int turn) {
        return turn >= warmUp;
    }

    /** Whole turns by which the latest user was late. */
    int lag() {
        return lag.get();
    }

    boolean behind() {
        return lag() > maxLag;
    }
}
