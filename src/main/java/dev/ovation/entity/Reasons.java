package dev.ovation.entity;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The reasons for a failure. Each reason is logged once until the next success: attempts that fail
 * alternately for two reasons would otherwise fill a log.
 */
public final class Reasons {

    private static final int MOST = 16;

    private final Set<String> logged = new HashSet<>();
    private @Nullable String newest;

    /**
     * Records a failure.
     *
     * @return whether to log this reason: it was not logged since the last success, nor were too
     *     many others
     */
    public synchronized boolean add(String reason) {
        newest = reason;
        return logged.size() < MOST && logged.add(reason);
    }

    /** Records a success. */
    public synchronized void clear() {
        newest = null;
        logged.clear();
    }

    /** Returns the latest reason; empty after a success. */
    public synchronized Optional<String> newest() {
        return Optional.ofNullable(newest);
    }
}
