package dev.ovation.pcc;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Who likes an object: the viewer's friends first if there is a viewer, each newest first. */
interface Likers {

    /**
     * A user who likes.
     *
     * @param name null for one who has none
     * @param at since when, in microseconds since 1970
     */
    record Liker(String user, @Nullable String name, long at) {}

    /**
     * The place of the last one who was given.
     *
     * @param others whether the friends are through
     * @param at in microseconds since 1970
     * @param user who decides among those of one time, the greatest id first; empty: all are
     *     through
     */
    record Place(boolean others, long at, String user) {}

    /**
     * A page.
     *
     * @param next null at the end
     */
    record Page(List<Liker> likers, @Nullable Place next) {}

    /**
     * Reads a page, which may be shorter than asked for though there are more.
     *
     * @param viewer null for nobody's view
     * @param onlyFriends whether others are left out; needs a viewer
     * @param from null for the beginning
     * @param size users at most
     */
    Page page(
            String object,
            @Nullable String viewer,
            boolean onlyFriends,
            @Nullable Place from,
            int size);
}
