package dev.ovation.reaction.view;

import org.jspecify.annotations.Nullable;

/**
 * Which people of an entity an answer shows.
 *
 * @param limit users at most, of each entity or of each of its reactions
 * @param friends how the viewer's friends are shown; null when friends are shown as others are
 * @param perReaction whether users are shown for each reaction instead of for the entity
 */
public record PeopleQuery(int limit, @Nullable FriendOrder friends, boolean perReaction) {

    /** Greatest limit. */
    public static final int MOST = 5;

    /** How friends are shown. */
    public enum FriendOrder {
        /** Friends before others. */
        FIRST,
        /** Friends alone. */
        ONLY
    }

    /** Returns whether the answer names users or counts friends, and not people alone. */
    public boolean tellsUsers() {
        return limit > 0 || friends != null;
    }
}
