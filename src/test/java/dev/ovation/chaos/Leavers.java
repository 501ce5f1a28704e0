package dev.ovation.chaos;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.core.JacksonException;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Users without a client. They are erased. An erasure is requested again, through any door, until
 * an instance reports that it is done.
 */
final class Leavers {

    private final Histories histories;
    private final Figures figures;
    private final Violations violations;
    private final Deque<String> users = new ArrayDeque<>();

    Leavers(Histories histories, Figures figures, Violations violations) {
        this.histories = histories;
        this.figures = figures;
        this.violations = violations;
    }

    /** Adds a user, unless one of its requests may still be in flight. */
    void add(String user) {
        if (histories.areSure(user)) {
            users.add(user);
        }
    }

    boolean isEmpty() {
        return users.isEmpty();
    }

    /** Requests the erasure of one user. */
    void erase(Door door) {
        String user = users.poll();
        boolean erased = false;
        try {
            Answer answer = door.send("DELETE", Erasures.ofUser(user), null);
            erased = answer.status() == 200;
            if (!erased && answer.status() != 202 && answer.status() != 503) {
                violations.add("the erasure of %s was answered by %s".formatted(user, answer));
            }
        } catch (IOException | JacksonException e) {
            // the link or the instance is down
        }
        figures.ended(door, false, erased ? "erased" : "not erased yet", erased);
        if (erased) {
            histories.erased(user);
        } else {
            users.add(user);
        }
    }

    /** Reports users whose erasure did not end. */
    void end() {
        users.forEach(user -> violations.add("the erasure of %s has no end".formatted(user)));
    }
}
