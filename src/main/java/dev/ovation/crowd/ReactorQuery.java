package dev.ovation.crowd;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

/**
 * A query for a page of the reactors of an entity. Each user occurs once, at the place of their
 * newest reaction that passes the filter.
 *
 * @param reaction key of the only reaction that passes; null for all
 * @param oldest whether the order is oldest first
 * @param viewer user whose friends are marked; null for none
 * @param friends order and choice of the viewer's friends
 * @param from end of the previous page; null for the first page
 * @param limit users at most
 */
record ReactorQuery(
        EntityKey key,
        @Nullable String reaction,
        boolean oldest,
        @Nullable String viewer,
        FriendFilter friends,
        @Nullable ReactorPosition from,
        int limit) {

    /** The treatment of the viewer's friends. */
    enum FriendFilter {
        AMONG_ALL,
        FIRST,
        ONLY
    }

    /**
     * The place that the reading of a list has reached.
     *
     * @param others whether all friends, who come first, have been listed
     * @param bound newest reaction that the reading includes, in microseconds: a later reaction
     *     moves no user, so that a user who adds a reaction is neither missed nor listed twice
     * @param at time of the last listed user; {@code user} orders users of the same time
     */
    record ReactorPosition(boolean others, long bound, long at, String user) {

        ReactorPosition behind(ListedReactor last) {
            return new ReactorPosition(others, bound, last.at(), last.user());
        }
    }

    /** Returns the beginning of the others, or of the friends that come before them. */
    ReactorPosition beginning(boolean others, long bound) {
        return new ReactorPosition(others, bound, oldest ? Long.MIN_VALUE : bound + 1, "");
    }
}
