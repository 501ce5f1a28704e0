package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * When bans of one user may have been in force, and when they must have been, by the answers to the
 * requests of a moderator. A request without an answer may have been executed, or not.
 */
final class BanRegister {

    /** Time after an answer until each instance knows the change. */
    static final Duration LATE = Duration.ofSeconds(1);

    /** A ban; the times are the latest and the earliest at which it may begin and end. */
    private static final class Period {
        private final Space space;
        private final Instant until;
        private Instant known = Instant.MAX;
        private Instant lifting = Instant.MAX;
        private Instant over = Instant.MAX;

        private Period(Space space, Instant until) {
            this.space = space;
            this.until = until;
        }

        private boolean concerns(Space other) {
            return space == null || space == other;
        }
    }

    private final InstantSource clock;
    private final List<Period> periods = new ArrayList<>();

    BanRegister(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Registers a ban before its first request.
     *
     * @param space null for all namespaces
     * @param until {@link Instant#MAX} for a ban without an end
     */
    synchronized void asked(Space space, Instant until) {
        periods.add(new Period(space, until));
    }

    /** Registers that the last ban is in force. */
    synchronized void inForce() {
        periods.getLast().known = clock.instant().plus(LATE);
    }

    /** Registers that the last ban was refused: it is not in force. */
    synchronized void refused() {
        periods.removeLast();
    }

    /** Registers that the last ban is about to be lifted. */
    synchronized void lifting() {
        periods.getLast().lifting = clock.instant();
    }

    /** Registers that the last ban is lifted; later answers do not count. */
    synchronized void lifted() {
        Period last = periods.getLast();
        if (last.over.equals(Instant.MAX)) {
            last.over = clock.instant().plus(LATE);
        }
    }

    /** Registers that the lifting of the last ban was refused: it is in force. */
    synchronized void liftingRefused() {
        periods.getLast().lifting = Instant.MAX;
    }

    /** Registers that the user was erased, and the bans with the user. */
    synchronized void erased() {
        periods.clear();
    }

    /** Whether a ban is in force from that time until now, on each instance. */
    synchronized boolean mustRefuse(Space space, Instant since) {
        Instant now = clock.instant();
        return periods.stream()
                .filter(period -> period.concerns(space))
                .anyMatch(
                        period ->
                                !period.known.isAfter(since)
                                        && now.isBefore(period.lifting)
                                        && now.isBefore(period.until));
    }

    /** Whether a ban may be in force on some instance at a time from then until now. */
    synchronized boolean mayRefuse(Space space, Instant since) {
        return periods.stream()
                .filter(period -> period.concerns(space))
                .anyMatch(period -> period.over.isAfter(since) && period.until.isAfter(since));
    }

    /** Judges the namespaces for which a ban of the user is stored; empty stands for all. */
    synchronized boolean explains(List<String> stored) {
        var must = new ArrayList<String>();
        var may = new ArrayList<String>();
        for (Period period : periods) {
            String namespace = period.space == null ? "" : period.space.id();
            if (period.over.equals(Instant.MAX)) {
                may.add(namespace);
                if (!period.known.equals(Instant.MAX) && period.lifting.equals(Instant.MAX)) {
                    must.add(namespace);
                }
            }
        }
        return stored.containsAll(must) && may.containsAll(stored);
    }
}
