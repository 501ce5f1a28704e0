package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.FriendSet.SetHash;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.people.StoredPeople.StoredPerson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.store.postgres.PostgresBulkhead;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the friends of a viewer on the entities of a screen. The set of friends is kept for as long
 * as names. On entities whose stored users are not all users, each friend is looked up. The result
 * is kept until the entity has a newer state, for all viewers with the same set of friends. It is
 * not kept for a viewer with more than {@link #MANY} friends, whose ids stay in Postgres.
 */
final class FriendsReader {

    /** Greatest number of friends that are sent to Postgres and hashed. */
    static final int MANY = 1000;

    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final KeptFriendSets sets;
    private final Cache<FriendsOnEntity, StoredFriends> kept =
            Caffeine.newBuilder()
                    .maximumWeight(PeopleReader.MOST_KEPT)
                    .<FriendsOnEntity, StoredFriends>weigher((_, it) -> weight(it))
                    .expireAfterWrite(PeopleReader.LONGEST)
                    .executor(Runnable::run)
                    .build();

    /**
     * Creates a reader without kept friends.
     *
     * @param ticker the time in nanoseconds
     */
    FriendsReader(PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.table = table;
        this.gate = gate;
        this.sets = new KeptFriendSets(table, gate, ticker);
    }

    /**
     * Friends of a viewer.
     *
     * @param known all friends, or at least those among the users of the screen
     * @param onCrowds friends on entities whose stored users are not all users
     */
    record FoundFriends(FriendSet known, Map<EntityKey, StoredFriends> onCrowds) {
        static final FoundFriends NONE =
                new FoundFriends(new FriendSet(Collections.emptySortedSet()), Map.of());
    }

    private record FriendsOnEntity(EntityKey key, SetHash friends) {}

    private static int weight(StoredFriends friends) {
        return PeopleReader.weight(friends.people()) + friends.totals().size();
    }

    /** Forgets the sets of friends of users. */
    void forget(Collection<String> users) {
        sets.forget(users);
    }

    /** Returns the friends on entities with these users. */
    FoundFriends of(
            String viewer, Map<EntityKey, EntityView> views, Map<EntityKey, StoredPeople> stored) {
        FriendSet friends = sets.of(viewer);
        List<EntityKey> crowds = new ArrayList<>();
        stored.forEach(
                (key, people) -> {
                    if (!people.complete()) {
                        crowds.add(key);
                    }
                });
        if (friends == KeptFriendSets.LARGE) {
            return ofMany(viewer, stored, crowds);
        }
        if (friends.isEmpty()) {
            return FoundFriends.NONE;
        }
        return new FoundFriends(
                friends, crowds.isEmpty() ? Map.of() : onCrowds(views, crowds, friends));
    }

    private FoundFriends ofMany(
            String viewer, Map<EntityKey, StoredPeople> stored, List<EntityKey> crowds) {
        Set<String> users = new TreeSet<>();
        stored.values().forEach(people -> add(people.people(), users));
        TreeSet<String> known =
                new TreeSet<>(gate.ask(() -> table.friendsAmong(viewer, users)).ids());
        Map<EntityKey, StoredFriends> found =
                crowds.isEmpty() ? Map.of() : gate.ask(() -> table.friendsOf(viewer, crowds));
        found.values().forEach(here -> add(here.people(), known));
        return new FoundFriends(new FriendSet(known), found);
    }

    private static void add(List<StoredPerson> people, Set<String> users) {
        people.forEach(each -> users.add(each.user()));
    }

    private Map<EntityKey, StoredFriends> onCrowds(
            Map<EntityKey, EntityView> views, List<EntityKey> crowds, FriendSet friends) {
        Map<EntityKey, StoredFriends> found = new HashMap<>();
        List<EntityKey> missing = new ArrayList<>();
        SetHash hash = friends.hash();
        for (EntityKey key : crowds) {
            StoredFriends known = kept.getIfPresent(new FriendsOnEntity(key, hash));
            EntityView view = views.get(key);
            if (known != null && view != null && PeopleReader.isOf(known.state(), view)) {
                found.put(key, known);
            } else {
                missing.add(key);
            }
        }
        if (!missing.isEmpty()) {
            Map<EntityKey, StoredFriends> read = gate.ask(() -> table.friends(friends, missing));
            read.forEach((key, here) -> kept.put(new FriendsOnEntity(key, hash), here));
            found.putAll(read);
        }
        return found;
    }
}
