package dev.ovation.crowd;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

/**
 * A page of the reactors of an entity: each user once, placed by their newest reaction that passes.
 *
 * @param reaction key of the only reaction that passes; null for all
 * @param oldest whether the oldest come first
 * @param viewer whose friends are told; null for nobody's
 * @param friends whether these come first
 * @param from where the page before ended; null for the first
 * @param limit how many users at most
 */
record ReactorQuery(
        EntityKey key,
        @Nullable String reaction,
        boolean oldest,
        @Nullable String viewer,
        Friends friends,
        @Nullable Progress from,
        int limit) {

    /** What becomes of friends of the viewer. */
    enum Friends {
        AMONG_ALL,
        FIRST,
        ONLY
    }

    /**
     * How far a list is read.
     *
     * @param others whether the friends, who came first, are through
     * @param bound newest reaction that this reading takes in, in microseconds: what comes later
     *     moves nobody, so that a user who adds a reaction is neither missed nor given twice
     * @param at place of the last user given, with {@code user}, who decides among equal times
     */
    record Progress(boolean others, long bound, long at, String user) {

        Progress behind(Reactor last) {
            return new Progress(others, bound, last.at(), last.user());
        }
    }

    /** The beginning of the others, or of the friends who come before them. */
    Progress beginning(boolean others, long bound) {
        return new Progress(others, bound, oldest ? Long.MIN_VALUE : bound + 1, "");
    }
}
