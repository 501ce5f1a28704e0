package dev.ovation.chaos;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Violations that were found; it keeps only the first ones. */
final class Violations {

    private static final int MOST = 20;

    private final List<String> found = new CopyOnWriteArrayList<>();

    void add(String violation) {
        if (found.size() < MOST) {
            found.add(violation);
        }
    }

    List<String> found() {
        return found;
    }

    boolean any() {
        return !found.isEmpty();
    }
}
