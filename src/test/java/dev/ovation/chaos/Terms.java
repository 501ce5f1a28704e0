package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Judges the changes of one user on one entity by {@link Term}, {@link Season}, locks and bans.
 * {@link Term#FULL} depends on other users, so {@link Audience} and {@link Snapshot} judge it.
 *
 * <p>A change happens between the time of its {@link Operation#at} and the time of its answer. A
 * verdict holds for each moment in between.
 */
final class Terms {

    private static final Duration PAUSE = Duration.ofMillis(Term.PAUSE_MILLIS);
    private static final int FOR_ADULTS = Space.RULED.bits("e");
    private static final int FOR_MEMBERS = Space.RULED.bits("f");

    private final Space space;
    private final Season season;
    private final InstantSource clock;
    private final LockRegister locks;
    private final BanRegister bans;

    /** By reaction: a time before it was added, if the user has it. */
    private final Instant[] added = new Instant[Place.LETTERS.size()];

    /** By reaction: a time after each addition of it that was answered. */
    private final Instant[] answered = new Instant[Place.LETTERS.size()];

    /**
     * Creates the rules of one user on one entity.
     *
     * @param locks of the entity
     * @param bans of the user
     */
    Terms(Space space, Season season, InstantSource clock, LockRegister locks, BanRegister bans) {
        this.space = space;
        this.season = season;
        this.clock = clock;
        this.locks = locks;
        this.bans = bans;
    }

    /**
     * Registers an operation that may be applied later, or was applied.
     *
     * @param had reactions that the user may have before it
     */
    void began(Operation operation, int had) {
        for (int i = 0; i < added.length; i++) {
            if ((operation.given() & ~had & 1 << i) != 0) {
                added[i] = operation.at;
            }
        }
    }

    /** Registers the answer to an operation that was applied. */
    void ended(Operation operation) {
        for (int i = 0; i < answered.length; i++) {
            if ((operation.given() & 1 << i) != 0) {
                answered[i] = clock.instant();
            }
        }
    }

    /** The kinds of which an addition was answered after that time. */
    int addedSince(Instant time) {
        int kinds = 0;
        for (int i = 0; i < answered.length; i++) {
            kinds |= answered[i] != null && answered[i].isAfter(time) ? 1 << i : 0;
        }
        return kinds;
    }

    /** Whether the rules refuse this change of the user's reactions. */
    boolean forbid(Operation operation, int before, int after) {
        if (!operation.isJudged()) {
            return false;
        }
        int more = Space.kinds(after & ~before);
        return bans.mustRefuse(space, operation.at)
                || more != 0 && locks.mustRefuse(more, operation.at)
                || space == Space.RULED && more != 0 && forbid(operation, before, after, more);
    }

    private boolean forbid(Operation operation, int before, int after, int more) {
        return Integer.bitCount(after) > Term.MOST_OF_A_USER
                || (more & FOR_ADULTS) != 0 && !operation.person.isAdult()
                || (more & FOR_MEMBERS) != 0 && !operation.person.isMember()
                || Season.excludes(more, operation.person)
                || season.isOver(more, operation.at)
                || hasSome(before);
    }

    /** Whether one of the reactions was added after the last time that ends a pause now. */
    private boolean hasSome(int reactions) {
        Instant latest = clock.instant().minus(PAUSE);
        for (int i = 0; i < added.length; i++) {
            if ((reactions & 1 << i) != 0 && added[i].isAfter(latest)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the rules may have refused the operation for this reason.
     *
     * @param after the user's reactions if it is applied, {@link Operation#REFUSED} if it cannot be
     * @param isRecent whether an operation with an unknown outcome may have been applied just now
     */
    boolean explain(Outcome refusal, Operation operation, int before, int after, boolean isRecent) {
        if (!operation.isJudged()) {
            return false;
        }
        int added = operation.given() & ~before;
        if (refusal == Outcome.BANNED) {
            return bans.mayRefuse(space, operation.at);
        }
        if (refusal == Outcome.LOCKED) {
            return added != 0 && locks.mayRefuse(added, operation.at);
        }
        if (space != Space.RULED) {
            return false;
        }
        if (refusal == Outcome.CLOSED) {
            // Only a put keeps what the user has.
            int given = operation.given() & ~(operation.kind == Kind.PUT ? before : 0);
            return Season.excludes(given, operation.person)
                    || season.isOver(given, clock.instant());
        }
        int more = after == Operation.REFUSED ? 0 : after & ~before;
        return switch (refusal) {
            case MANY -> more != 0 && Integer.bitCount(after) > Term.MOST_OF_A_USER;
            case SOON -> more != 0 && (isRecent || addedSince(operation.at.minus(PAUSE)) != 0);
            case FULL -> more != 0;
            case YOUNG -> (more & FOR_ADULTS) != 0 && !operation.person.isAdult();
            case STRANGER -> (more & FOR_MEMBERS) != 0 && !operation.person.isMember();
            default -> throw new IllegalArgumentException("no constraint of its own");
        };
    }
}
