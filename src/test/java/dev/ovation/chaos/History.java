package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Operations of one user on one entity, in order, with their answers. Each answer is judged when it
 * arrives. A violation quotes the whole history.
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
    private boolean late;
    private final Set<Operation> imports = new HashSet<>();

    /** Result of a read; later reads of the user must not have an older version. */
    record Told(String version, int own) {}

    History(String user, Place place, Terms terms, Violations violations) {
        this.user = user;
        this.place = place;
        this.violations = violations;
        this.possible = new Possible(place.space(), terms);
    }

    /** Registers an answer; {@code own} is the user's reactions in it, or -1 if it has none. */
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
            case UNAVAILABLE -> {}
            case UNKNOWN -> {
                late = true;
                if (!again) {
                    possible.unknown(operation);
                }
            }
            default -> possible.refused(operation, outcome);
        }
        if (possible.isNothing()) {
            violation("this answer contradicts earlier answers");
        }
    }

    /** Registers a repeated request for the stored answer of an operation that succeeded. */
    synchronized void repeated(Operation operation, String first, String again, String where) {
        note("%s: %s again".formatted(where, operation));
        if (!again.equals(first)) {
            violation("%s was answered by %s, but again by %s".formatted(operation, first, again));
        }
    }

    /**
     * Registers that a request may still arrive, even if another one already returned its outcome.
     */
    synchronized void mayComeLater() {
        late = true;
    }

    /** Whether no operation of the user can be in flight. */
    synchronized boolean isSure() {
        return !late;
    }

    /** Registers the erasure of the user, none of whose operations was in flight. */
    synchronized void erased() {
        note("erased");
        possible.erased();
    }

    /** Judges an answer by the user's own reactions and the counted reactions. */
    synchronized void shown(int own, int counted) {
        if ((own & ~counted) != 0) {
            violation(
                    "shown are %s of the user, but counted only %s"
                            .formatted(Place.names(own), Place.names(counted)));
        }
    }

    /** Registers the version of an acknowledged change; no later read may show an older version. */
    synchronized void acknowledged(String version) {
        String state = Answers.state(version);
        if (state.compareTo(acknowledged) > 0) {
            acknowledged = state;
        }
    }

    /** Registers a read by the user; the version is empty if the answer had none. */
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

    /** Result of the last read that had a version; null before the first. */
    synchronized Told told() {
        return told;
    }

    /** Judges the state that is stored at the end. */
    synchronized void stored(int state) {
        note("stored in the end: " + Place.names(state));
        if (!possible.allows(state)) {
            violation("stored is what is none of " + possible);
        }
    }

    synchronized Possible.Changes changes(int state) {
        return possible.changes(state);
    }

    /** Greatest number of version gaps that this user's operations may have caused. */
    synchronized int leaps() {
        return imports.size();
    }

    synchronized boolean isOpen(Operation operation) {
        return possible.isOpen(operation);
    }

    /** Number of further outcomes that may become unknown before the user is replaced. */
    synchronized int room() {
        return possible.room();
    }

    synchronized boolean isBroken() {
        return broken;
    }

    /** Reports the first violation of this history; its consequences are not reported. */
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
