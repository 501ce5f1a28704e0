package dev.ovation.pcc;

import dev.ovation.crowd.ReactorLists;
import dev.ovation.crowd.ReactorLists.Liker;
import dev.ovation.crowd.ReactorLists.LikerPlace;
import dev.ovation.entity.EntityKey;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Lists of likes under cursors that are numbers. */
final class LikeLists {

    private static final int MOST_PAGES = 5;

    private final ReactorLists reactors;
    private final Ranks ranks;

    /**
     * A part of a list.
     *
     * @param next the cursor of the next part, 0 at the end
     */
    record LikeListPart(List<Liker> users, long next) {}

    LikeLists(ReactorLists reactors, Ranks ranks) {
        this.reactors = reactors;
        this.ranks = ranks;
    }

    /** The first {@code size} users. */
    List<Liker> first(EntityKey key, String viewer, int size) {
        var users = new ArrayList<Liker>(size);
        var _ = collect(users, key, viewer, false, null, size);
        return users;
    }

    /**
     * Returns a part of the list.
     *
     * @param cursor beginning of the part, 0 for the beginning of the list
     */
    LikeListPart read(
            EntityKey key, @Nullable String viewer, boolean onlyFriends, long cursor, int size) {
        var users = new ArrayList<Liker>(size);
        LikerPlace next =
                collect(users, key, viewer, onlyFriends, place(key, PccCursor.of(cursor)), size);
        return new LikeListPart(users, next == null ? 0 : cursor(key, next).number());
    }

    /**
     * Reads until {@code size} users are found or five pages were short; returns the next place.
     */
    private @Nullable LikerPlace collect(
            List<Liker> users,
            EntityKey key,
            @Nullable String viewer,
            boolean onlyFriends,
            @Nullable LikerPlace beginning,
            int size) {
        LikerPlace from = beginning;
        for (int i = 0; i < MOST_PAGES && users.size() < size; i++) {
            var page = reactors.page(key, Pcc.LIKE, viewer, onlyFriends, from, size - users.size());
            users.addAll(page.users());
            from = page.next();
            if (from == null) {
                return null;
            }
        }
        return from;
    }

    private @Nullable LikerPlace place(EntityKey key, @Nullable PccCursor cursor) {
        if (cursor == null) {
            return null;
        }
        String user = ranks.user(key, Pcc.LIKE, cursor.at(), cursor.rank());
        return new LikerPlace(cursor.others(), cursor.at(), user);
    }

    private PccCursor cursor(EntityKey key, LikerPlace place) {
        long rank = ranks.rank(key, Pcc.LIKE, place.at(), place.user());
        if (rank > PccCursor.MOST) {
            throw Problems.malformed(
                    "cursor",
                    "cannot hold a place among more than %d likes of one time"
                            .formatted(PccCursor.MOST));
        }
        return new PccCursor(place.others(), place.at(), (int) rank);
    }
}
