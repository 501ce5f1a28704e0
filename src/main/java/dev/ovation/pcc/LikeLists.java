package dev.ovation.pcc;

import dev.ovation.entity.EntityKey;
import dev.ovation.pcc.Likers.Liker;
import dev.ovation.pcc.Likers.Place;
import dev.ovation.web.Problems;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Lists of likes under cursors that are numbers. */
final class LikeLists {

    private static final int MOST_PAGES = 5;

    private final Likers likers;
    private final Ranks ranks;

    /**
     * A part of a list.
     *
     * @param next the cursor of the next one, 0 at the end
     */
    record Part(List<Liker> likers, long next) {}

    LikeLists(Likers likers, Ranks ranks) {
        this.likers = likers;
        this.ranks = ranks;
    }

    /** Reads until the part has its size, or so many pages were short. */
    Part read(String object, @Nullable String viewer, boolean onlyFriends, long cursor, int size) {
        var part = new ArrayList<Liker>(size);
        Place from = place(object, Cursor.of(cursor));
        for (int i = 0; i < MOST_PAGES && part.size() < size; i++) {
            var page = likers.page(object, viewer, onlyFriends, from, size - part.size());
            part.addAll(page.likers());
            from = page.next();
            if (from == null) {
                return new Part(part, 0);
            }
        }
        return new Part(part, from == null ? 0 : cursor(object, from).number());
    }

    private @Nullable Place place(String object, @Nullable Cursor cursor) {
        if (cursor == null) {
            return null;
        }
        String user = ranks.user(key(object), Pcc.LIKE, cursor.at(), cursor.rank());
        return new Place(cursor.others(), cursor.at(), user);
    }

    private Cursor cursor(String object, Place place) {
        long rank = ranks.rank(key(object), Pcc.LIKE, place.at(), place.user());
        if (rank > Cursor.MOST) {
            throw Problems.malformed(
                    "cursor", "cannot tell more than %d likes of one time".formatted(Cursor.MOST));
        }
        return new Cursor(place.others(), place.at(), (int) rank);
    }

    private static EntityKey key(String object) {
        return new EntityKey(Pcc.NAMESPACE, object);
    }
}
