package dev.ovation.entity;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The reasons for which something does not work. Each is told once until it works again: tries that
 * fail by turns for two reasons would else fill a log.
 */
public final class Reasons {

    private static final int MOST = 16;

    private final Set<String> told = new HashSet<>();
    private @Nullable String newest;

    /**
     * Takes in that it does not work.
     *
     * @return whether this reason is to be told: it was not told since it worked last, nor were too
     *     many others
     */
    public synchronized boolean add(String reason) {
        newest = reason;
        return told.size() < MOST && told.add(reason);
    }

    /** Takes in that it works. */
    public synchronized void clear() {
        newest = null;
        told.clear();
    }

    /** Returns the reason that was taken in last; empty while it works. */
    public synchronized Optional<String> newest() {
        return Optional.ofNullable(newest);
    }
}
