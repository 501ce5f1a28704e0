package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one user did on one entity, in order, and what the user was told; each answer is judged as
 * it comes. A violation quotes all of it.
 */
final class History {

    final String user;
    final Place place;
    private final Violations violations;
    private final Possible possible;
    private final List<String> lines = new ArrayList<>();
    private String acknowledged = "";
    private Told told;
    private boolean broken;
    private final Set<Operation> imports = new HashSet<>();

    /** What a read told the user; the version is the user's from then on. */
    record Told(String version, int own) {}

    History(String user, Place place, Violations violations) {
        this.user = user;
        this.place = place;
        this.violations = violations;
        this.possible = new Possible(place.space());
    }

    /** An answer; {@code own} is what it says that the user has, -1 when it says nothing. */
    synchronized void answered(Operation operation, Outcome outcome, int own, String where) {
        note(
                "%s: %s %s%s"
                        .formatted(
                                where,
                                operation,
                                outcome,
                                own < 0 ? "" : ", has " + Place.names(own)));
        boolean again = possible.isOpen(operation);
        if (operation.kind == Operation.Kind.IMPORT) {
            imports.add(operation);
        }
        switch (outcome) {
            case OK -> {
                if (again) {
                    possible.settled(operation);
                } else {
                    possible.accepted(operation, own);
                }
            }
            case EXISTS, CONFLICT, LIMIT -> possible.refused(operation, outcome);
            case UNAVAILABLE -> {}
            case UNKNOWN -> {
                if (!again) {
                    possible.unknown(operation);
                }
            }
        }
        if (possible.isNothing()) {
            violation("this answer contradicts what the user was told before");
        }
    }

    /** The kept answer to an operation that had ended well was asked for again. */
    synchronized void repeated(Operation operation, String first, String again, String where) {
        note("%s: %s again".formatted(where, operation));
        if (!again.equals(first)) {
            violation("%s was answered by %s, but again by %s".formatted(operation, first, again));
        }
    }

    /** An answer shows the user's reactions, and which of all are counted. */
    synchronized void shown(int own, int counted) {
        if ((own & ~counted) != 0) {
            violation(
                    "shown are %s of the user, but counted only %s"
                            .formatted(Place.names(own), Place.names(counted)));
        }
    }

    /** An applied change was acknowledged at this version, so nothing older may be shown later. */
    synchronized void acknowledged(String version) {
        String state = Answers.state(version);
        if (state.compareTo(acknowledged) > 0) {
            acknowledged = state;
        }
    }

    /** A read by the user; an empty version when it told none. */
    synchronized void read(int own, String version, String where) {
        note("%s: read %s %s".formatted(where, Place.names(own), version));
        if (!possible.allows(own)) {
            violation("the user is shown what is none of " + possible);
        }
        if (version.isEmpty()) {
            return;
        }
        if (Answers.state(version).compareTo(acknowledged) < 0) {
            violation("the user is shown a version before the acknowledged " + acknowledged);
        }
        told = new Told(version, own);
    }

    /** What the last read told that had a version; null before the first. */
    synchronized Told told() {
        return told;
    }

    /** Judges what is stored in the end. */
    synchronized void stored(int state) {
        note("stored in the end: " + Place.names(state));
        if (!possible.allows(state)) {
            violation("stored is what is none of " + possible);
        }
    }

    synchronized Possible.Changes changes(int state) {
        return possible.changes(state);
    }

    /** How many times the version of the entity may have leapt, for all that this user did. */
    synchronized int leaps() {
        return imports.size();
    }

    synchronized boolean isOpen(Operation operation) {
        return possible.isOpen(operation);
    }

    /** How much more may become unknown for this user to go on. */
    synchronized int room() {
        return possible.room();
    }

    synchronized boolean isBroken() {
        return broken;
    }

    /** Says what is wrong, once: what follows from it is not told. */
    synchronized void violation(String what) {
        if (!broken) {
            broken = true;
            violations.add(
                    "%s on %s: %s\n  %s".formatted(user, place, what, String.join("\n  ", lines)));
        }
    }

    private void note(String line) {
        lines.add(LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
    }
}
