package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.store.postgres.PostgresBulkhead;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sets of friends, kept in this process for as long as names. */
final class KeptFriendSets {

    /** Stands for a set of more than {@link FriendsReader#MANY} friends, whose ids are not kept. */
    static final FriendSet LARGE = new FriendSet(Collections.emptySortedSet());

    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final Ticker ticker;
    private final Cache<String, DatedSet> kept;

    /**
     * Creates it empty.
     *
     * @param ticker the time in nanoseconds
     */
    KeptFriendSets(PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.table = table;
        this.gate = gate;
        this.ticker = ticker;
        this.kept =
                Caffeine.newBuilder()
                        .maximumWeight(PeopleReader.MOST_KEPT)
                        .<String, DatedSet>weigher(
                                (_, it) -> PeopleReader.EMPTY + it.friends.size())
                        .expireAfterWrite(KeptProfiles.OLDEST, TimeUnit.NANOSECONDS)
                        .ticker(ticker)
                        .executor(Runnable::run)
                        .build();
    }

    private record DatedSet(FriendSet friends, long askedAt) {}

    /** Forgets the sets of users. */
    void forget(List<String> users) {
        kept.invalidateAll(users);
    }

    /** Returns the friends of a user, or {@link #LARGE}. */
    FriendSet of(String user) {
        long now = ticker.read();
        DatedSet known = kept.getIfPresent(user);
        if (known != null && now - known.askedAt < KeptProfiles.OLDEST) {
            return known.friends;
        }
        FriendSet read = gate.ask(() -> table.friends(user, FriendsReader.MANY + 1));
        FriendSet friends = read.size() > FriendsReader.MANY ? LARGE : read;
        kept.put(user, new DatedSet(friends, now));
        return friends;
    }
}
