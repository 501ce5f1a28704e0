package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.KeptProfiles.Profile;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the people of a screen. The total is that of the view. Users come from Postgres, for all
 * entities by one statement, and are kept in this process until the entity has a newer state: every
 * change of its users gives it one. So are the friends among many users, for the same set of
 * friends. The set itself is read for each screen.
 */
public final class PeopleReader {

    /** Greatest number of users of an entity whose friends are found among all its users. */
    static final int SMALL = 50;

    /** The time after which even users of an unchanged state are read anew. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final int MOST_KEPT = 200_000;

    private final CurrentRules rules;
    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final KeptProfiles profiles;
    private final Cache<EntityKey, StoredPeople> kept =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_KEPT)
                    .<EntityKey, StoredPeople>weigher((_, it) -> 1 + it.people().size())
                    .expireAfterWrite(LONGEST)
                    .executor(Runnable::run)
                    .build();
    private final Cache<FriendsOnEntity, StoredFriends> keptFriends =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_KEPT)
                    .<FriendsOnEntity, StoredFriends>weigher((_, it) -> 1 + it.people().size())
                    .expireAfterWrite(LONGEST)
                    .executor(Runnable::run)
                    .build();

    /**
     * Friends on an entity.
     *
     * @param friends name of the set of all friends
     */
    private record FriendsOnEntity(EntityKey key, String friends) {}

    /** Creates a reader without kept users. */
    public PeopleReader(CurrentRules rules, PeopleTable table, PostgresBulkhead gate) {
        this.rules = rules;
        this.table = table;
        this.gate = gate;
        this.profiles = new KeptProfiles(table, gate);
    }

    /**
     * Reads the people of entities.
     *
     * @param views views of the entities
     * @param viewer user whose friends are meant; not null when the query asks for friends
     * @return the people of each entity
     * @throws org.springframework.dao.DataAccessException when Postgres cannot be read now
     */
    public Map<EntityKey, PeopleOfState> of(
            Map<EntityKey, EntityView> views, @Nullable String viewer, PeopleQuery query) {
        Map<EntityKey, PeopleSelection> selected = selected(views, viewer, query);
        Set<String> users = new HashSet<>();
        selected.values().forEach(each -> each.addUsers(users));
        Map<String, Profile> named = users.isEmpty() ? Map.of() : profiles.of(users);
        Map<EntityKey, PeopleOfState> people = new HashMap<>();
        selected.forEach((key, each) -> people.put(key, each.named(named)));
        return people;
    }

    private Map<EntityKey, PeopleSelection> selected(
            Map<EntityKey, EntityView> views, @Nullable String viewer, PeopleQuery query) {
        RulesInForce current = rules.current();
        Map<EntityKey, StoredPeople> stored = query.tellsUsers() ? users(views, query) : Map.of();
        FriendSet friends =
                viewer == null || query.friends() == null || stored.isEmpty()
                        ? FriendSet.NONE
                        : gate.ask(() -> table.friends(viewer));
        Map<EntityKey, StoredFriends> found =
                friends.isEmpty() ? Map.of() : onCrowds(views, stored, friends);
        Map<EntityKey, PeopleSelection> selected = new HashMap<>();
        views.forEach(
                (key, view) ->
                        selected.put(
                                key,
                                new PeopleSelection(
                                        query,
                                        view,
                                        new Views(current, key),
                                        stored.get(key),
                                        friends,
                                        found.getOrDefault(key, StoredFriends.NONE))));
        return selected;
    }

    /** Returns users of the entities that have any. */
    private Map<EntityKey, StoredPeople> users(
            Map<EntityKey, EntityView> views, PeopleQuery query) {
        Map<EntityKey, StoredPeople> stored = new HashMap<>();
        Map<EntityKey, Integer> missing = new LinkedHashMap<>();
        views.forEach(
                (key, view) -> {
                    boolean all = query.friends() != null && view.people() <= SMALL;
                    StoredPeople known = kept.getIfPresent(key);
                    if (known != null && isOf(known.state(), view) && (known.complete() || !all)) {
                        stored.put(key, known);
                    } else if (view.people() > 0) {
                        missing.put(key, all ? SMALL : PeopleTable.FEW);
                    }
                });
        if (!missing.isEmpty()) {
            gate.ask(() -> table.people(missing))
                    .forEach(
                            (key, people) -> {
                                kept.put(key, people);
                                stored.put(key, people);
                            });
            missing.keySet().forEach(key -> stored.putIfAbsent(key, StoredPeople.NONE));
        }
        return stored;
    }

    /** Returns the friends on those entities whose stored users are not all users. */
    private Map<EntityKey, StoredFriends> onCrowds(
            Map<EntityKey, EntityView> views,
            Map<EntityKey, StoredPeople> stored,
            FriendSet friends) {
        List<EntityKey> crowds = new ArrayList<>();
        stored.forEach(
                (key, people) -> {
                    if (!people.complete()) {
                        crowds.add(key);
                    }
                });
        if (crowds.isEmpty()) {
            return Map.of();
        }
        Map<EntityKey, StoredFriends> found = new HashMap<>();
        List<EntityKey> missing = new ArrayList<>();
        String name = friends.name();
        for (EntityKey key : crowds) {
            StoredFriends known = keptFriends.getIfPresent(new FriendsOnEntity(key, name));
            EntityView view = views.get(key);
            if (known != null && view != null && isOf(known.state(), view)) {
                found.put(key, known);
            } else {
                missing.add(key);
            }
        }
        if (!missing.isEmpty()) {
            Map<EntityKey, StoredFriends> read = gate.ask(() -> table.friends(friends, missing));
            read.forEach((key, here) -> keptFriends.put(new FriendsOnEntity(key, name), here));
            found.putAll(read);
        }
        return found;
    }

    /** Returns whether a committed state is the state of the view, or a newer one. */
    private static boolean isOf(String state, EntityView view) {
        return state.compareTo(view.state()) >= 0;
    }
}
