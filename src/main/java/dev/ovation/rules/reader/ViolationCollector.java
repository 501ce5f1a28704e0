package dev.ovation.rules.reader;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.List;

/** Collects the violations of a configuration, up to a bound. */
final class ViolationCollector {

    static final int MAX = 1_000;

    private final List<DocumentViolation> found = new ArrayList<>();
    private int unlisted;

    void add(String file, int line, String message) {
        if (found.size() < MAX) {
            found.add(new DocumentViolation(file, line, message));
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
        found.sort(comparing(DocumentViolation::file).thenComparingInt(DocumentViolation::line));
        if (unlisted > 0) {
            DocumentViolation last = found.getLast();
            found.add(
                    new DocumentViolation(last.file(), 0, "and " + unlisted + " more violations"));
        }
        throw new InvalidConfigurationException(found);
    }
}
