package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;

import java.time.Instant;
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
    private LastRead lastRead;
    private boolean broken;
    private boolean late;
    private final Set<Operation> imports = new HashSet<>();
    private final List<Runnable> delayed = new ArrayList<>();
    private int inFlight;
    private boolean moderated;

    /** Result of a read; later reads of the user must not have an older version. */
    record LastRead(String version, int own) {}

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
                                operation.text(place.space()),
                                outcome,
                                own < 0 ? "" : ", has " + place.names(own)));
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
        judgeWorlds();
    }

    private void judgeWorlds() {
        if (possible.isNothing()) {
            violation("this answer contradicts earlier answers");
        }
    }

    /** Registers a request whose answer this history will judge. */
    synchronized void sent() {
        inFlight++;
    }

    /** Registers that the answer of a request was judged, or that none came. */
    synchronized void judged() {
        inFlight--;
        if (inFlight == 0) {
            delayed.forEach(Runnable::run);
            delayed.clear();
        }
    }

    /** Registers an operation of a moderator, which may happen from now on. */
    synchronized void opened(Operation moderation) {
        note(text(moderation) + " may happen");
        moderated = true;
        possible.opened(moderation);
    }

    /** Registers that an open operation of a moderator was refused. */
    synchronized void withdrawn(Operation moderation) {
        note(text(moderation) + " was refused");
        possible.withdrawn(moderation);
        judgeWorlds();
    }

    /**
     * Registers that an open operation of a moderator happened, and will not happen again. A
     * request in flight may have been answered before it.
     */
    synchronized void settled(Operation moderation) {
        Runnable settle =
                () -> {
                    note(text(moderation) + " has happened");
                    possible.settled(moderation);
                    judgeWorlds();
                };
        if (inFlight == 0) {
            settle.run();
        } else {
            delayed.add(settle);
        }
    }

    /**
     * Registers that an open operation of a moderator has left nothing to do.
     *
     * @param isLast whether it will not happen any more
     */
    synchronized void completed(Operation moderation, boolean isLast) {
        note(text(moderation) + (isLast ? " is complete" : " is complete, and may happen again"));
        possible.completed(moderation, isLast);
    }

    /** Registers that an open operation of a moderator does not concern later additions. */
    synchronized void ended(Operation moderation, Instant end) {
        note(text(moderation) + " does not concern additions after " + end);
        possible.ended(moderation, end);
    }

    /** Registers that an open operation of a moderator will not happen any more. */
    synchronized void closed(Operation moderation) {
        note(text(moderation) + " does not happen any more");
        possible.closed(moderation);
    }

    private String text(Operation operation) {
        return operation.text(place.space());
    }

    /** Registers a repeated request for the stored answer of an operation that succeeded. */
    synchronized void repeated(Operation operation, String first, String again, String where) {
        note("%s: %s again".formatted(where, text(operation)));
        if (!again.equals(first)) {
            violation(
                    "%s was answered by %s, but again by %s"
                            .formatted(text(operation), first, again));
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
        if ((Space.kinds(own) & ~counted) != 0) {
            violation(
                    "shown are %s of the user, but counted only %s"
                            .formatted(place.names(own), place.names(counted)));
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
        note("%s: read %s %s".formatted(where, place.names(own), version));
        if (!possible.allows(own)) {
            violation("the user is shown what is none of " + possible);
        }
        if (version.isEmpty()) {
            return;
        }
        if (Answers.state(version).compareTo(acknowledged) < 0) {
            violation("the user is shown a version before the acknowledged " + acknowledged);
        }
        lastRead = new LastRead(version, own);
    }

    /** Result of the last read that had a version; null before the first. */
    synchronized LastRead lastRead() {
        return lastRead;
    }

    /** Judges the state that is stored at the end, and the reactions that a ban hides. */
    synchronized void stored(int state, int hidden) {
        note(
                "stored in the end: %s%s"
                        .formatted(
                                place.names(state),
                                hidden == 0 ? "" : ", hidden " + place.names(hidden)));
        if (!possible.allows(state, hidden)) {
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

    /** Whether moderators may have caused any number of version gaps. */
    synchronized boolean isModerated() {
        return moderated;
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
