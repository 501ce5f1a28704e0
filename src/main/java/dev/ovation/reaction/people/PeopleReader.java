package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.FriendsReader.FoundFriends;
import dev.ovation.reaction.people.KeptProfiles.Profile;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.people.StoredPeople.StoredPerson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.Views;
import dev.ovation.social.SocialChange;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the people of a screen. The total is that of the view. Users come from Postgres, for all
 * entities by one statement, and are kept in this process until the entity has a newer state: every
 * change of its users gives it one. The friends found on a crowded entity are kept in the same way,
 * for all viewers with the same set of friends. Names, avatars and sets of friends are kept for 5
 * seconds, or until they change through this process.
 */
public final class PeopleReader {

    /** Greatest number of users of an entity whose friends are found among all its users. */
    static final int SMALL = 50;

    /**
     * The time after which even users of an unchanged state are read anew: rows that are changed by
     * hand give no new state, and a repair by an instance that stops at once is late in Redis.
     */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /**
     * Greatest weight of the kept users, that of the kept sets of friends, and that of the friends
     * found on crowded entities. A unit of weight takes about 150 bytes with ids of 20 bytes, and
     * at most about 400 with the longest ids. So each of the three takes about 30 MB, and at most
     * about 80 MB.
     */
    static final int MOST_KEPT = 200_000;

    /** Weight of an entry without users: its key, its state and its node. */
    static final int EMPTY = 4;

    private final Supplier<RulesInForce> rules;
    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final KeptProfiles profiles;
    private final FriendsReader friendsReader;
    private final Cache<EntityKey, StoredPeople> kept =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_KEPT)
                    .<EntityKey, StoredPeople>weigher((_, it) -> weight(it.people()))
                    .expireAfterWrite(LONGEST)
                    .executor(Runnable::run)
                    .build();

    /**
     * Creates a reader without kept users.
     *
     * @param rules the rules in force
     */
    public PeopleReader(Supplier<RulesInForce> rules, PeopleTable table, PostgresBulkhead gate) {
        this(rules, table, gate, System::nanoTime);
    }

    /** Creates it with a clock that returns nanoseconds. */
    PeopleReader(
            Supplier<RulesInForce> rules, PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.rules = rules;
        this.table = table;
        this.gate = gate;
        this.profiles = new KeptProfiles(table, gate, ticker);
        this.friendsReader = new FriendsReader(table, gate, ticker);
    }

    /** Forgets what is kept of users who have changed through this process. */
    @EventListener
    public void forget(SocialChange change) {
        profiles.forget(change.users());
        friendsReader.forget(change.users());
    }

    /** Returns the weight of users on an entity: each user and each reaction counts one. */
    static int weight(List<StoredPerson> people) {
        int weight = EMPTY;
        for (StoredPerson each : people) {
            weight += 1 + each.given().size();
        }
        return weight;
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
        RulesInForce current = rules.get();
        Map<EntityKey, StoredPeople> stored = query.tellsUsers() ? users(views, query) : Map.of();
        FoundFriends friends =
                viewer == null || query.friends() == null || stored.isEmpty()
                        ? FoundFriends.NONE
                        : friendsReader.of(viewer, views, stored);
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
                                        friends.known(),
                                        friends.onCrowds().getOrDefault(key, StoredFriends.NONE))));
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

    /** Returns whether a committed state is the state of the view, or a newer one. */
    static boolean isOf(String state, EntityView view) {
        return state.compareTo(view.state()) >= 0;
    }
}
