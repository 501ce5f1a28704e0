package dev.ovation.chaos;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which locks an entity may have had at a time, by the answers to the requests of a moderator. A
 * lock is in force on each instance with the answer to its request.
 */
final class LockRegister {

    /** The lock of an entity that has none. */
    static final int OPEN = -1;

    /** A lock by the reactions that it lets pass, while it may be in force. */
    private static final class Period {
        private final int passing;
        private final Instant from;
        private Instant to = Instant.MAX;

        private Period(int passing, Instant from) {
            this.passing = passing;
            this.from = from;
        }

        private boolean refuses(int reactions) {
            return passing != OPEN && (reactions & ~passing) != 0;
        }
    }

    private final InstantSource clock;
    private final List<Period> periods = new ArrayList<>();

    LockRegister(InstantSource clock) {
        this.clock = clock;
        periods.add(new Period(OPEN, Instant.MIN));
    }

    /** Registers a lock, or {@link #OPEN}, before its first request. */
    synchronized void asked(int passing) {
        periods.add(new Period(passing, clock.instant()));
    }

    /** Registers that the last lock is in force, and no earlier one. */
    synchronized void inForce() {
        Instant now = clock.instant();
        for (Period period : periods.subList(0, periods.size() - 1)) {
            period.to = period.to.isAfter(now) ? now : period.to;
        }
    }

    /** Registers that the last request was refused: the lock is as before. */
    synchronized void refused() {
        periods.removeLast();
    }

    /** Whether a lock was ever asked for. */
    synchronized boolean isUsed() {
        return periods.size() > 1;
    }

    /** Whether no lock that may be in force from that time until now lets all reactions pass. */
    synchronized boolean mustRefuse(int reactions, Instant since) {
        return possible(since).stream().allMatch(period -> period.refuses(reactions));
    }

    /** Whether some lock that may be in force from that time until now refuses a reaction. */
    synchronized boolean mayRefuse(int reactions, Instant since) {
        return possible(since).stream().anyMatch(period -> period.refuses(reactions));
    }

    /** Whether an answer to a request of that time may show the entity so. */
    synchronized boolean mayShow(boolean isLocked, Instant since) {
        Predicate<Period> shown = period -> period.passing != OPEN == isLocked;
        return possible(since).stream().anyMatch(shown);
    }

    /** Whether this lock may be stored now. */
    synchronized boolean explains(int stored) {
        return periods.stream()
                .anyMatch(period -> period.to.equals(Instant.MAX) && period.passing == stored);
    }

    private List<Period> possible(Instant since) {
        return periods.stream().filter(period -> !period.to.isBefore(since)).toList();
    }
}
