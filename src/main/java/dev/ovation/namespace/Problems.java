package dev.ovation.namespace;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a configuration, up to a number nobody reads through. */
final class Problems {

    static final int MAX = 1_000;

    private final List<Violation> found = new ArrayList<>();
    private int unlisted;

    void add(String file, int line, String message) {
        if (found.size() < MAX) {
            found.add(new Violation(file, line, message));
        } else {
            unlisted++;
        }
    }

    /**
     * @throws InvalidConfigurationException if there are any
     */
    void throwIfAny() {
        if (found.isEmpty()) {
            return;
        }
        found.sort(comparing(Violation::file).thenComparingInt(Violation::line));
        if (unlisted > 0) {
            Violation last = found.getLast();
            found.add(new Violation(last.file(), 0, "and " + unlisted + " more violations"));
        }
        throw new InvalidConfigurationException(found);
    }
}
