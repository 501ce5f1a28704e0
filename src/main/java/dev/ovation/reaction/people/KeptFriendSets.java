package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.reaction.people.KeptByUser.Dated;
import dev.ovation.reaction.people.KeptByUser.Moment;
import dev.ovation.store.postgres.PostgresBulkhead;

import java.util.Collection;
import java.util.Collections;

/** Sets of friends, kept in this process for as long as names. */
final class KeptFriendSets {

    /** Stands for a set of more than {@link FriendsReader#MANY} friends, whose ids are not kept. */
    static final FriendSet LARGE = new FriendSet(Collections.emptySortedSet());

    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final KeptByUser<FriendSet> kept;

    /**
     * Creates it empty.
     *
     * @param ticker the time in nanoseconds
     */
    KeptFriendSets(PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.table = table;
        this.gate = gate;
        this.kept =
                new KeptByUser<>(
                        PeopleReader.MOST_KEPT, set -> PeopleReader.EMPTY + set.size(), ticker);
    }

    /** Forgets the sets of users. */
    void forget(Collection<String> users) {
        kept.forget(users);
    }

    /** Returns the friends of a user, or {@link #LARGE}. */
    FriendSet of(String user) {
        Moment now = kept.now();
        Dated<FriendSet> known = kept.get(user, now);
        if (known != null) {
            return known.value();
        }
        FriendSet read = gate.ask(() -> table.friends(user, FriendsReader.MANY + 1));
        FriendSet friends = read.size() > FriendsReader.MANY ? LARGE : read;
        kept.keep(user, friends, now);
        return friends;
    }
}
