package dev.ovation.chaos;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.core.JacksonException;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Users for whom nobody acts any more. They are erased, each as soon as an instance says that it is
 * done; until then it is asked for again, through any door.
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

    /** Adds a user, unless a request of theirs may be under way still. */
    void add(String user) {
        if (histories.areSure(user)) {
            users.add(user);
        }
    }

    boolean isEmpty() {
        return users.isEmpty();
    }

    /** Asks for the erasure of one. */
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

    /** Says who is left over. */
    void end() {
        users.forEach(user -> violations.add("the erasure of %s has no end".formatted(user)));
    }
}
