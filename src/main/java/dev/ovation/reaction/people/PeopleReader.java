package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the people of a screen. The total is that of the view. Users come from Postgres, for all
 * entities by one statement, and are kept in this process until the entity has a newer state. Names
 * and avatars are therefore up to {@link #NAMES} old. Friendships are never kept.
 */
public final class PeopleReader {

    /** Greatest age of names and avatars. */
    static final Duration NAMES = Duration.ofSeconds(5);

    /** Greatest number of users of an entity whose friends are found among all its users. */
    static final int SMALL = 50;

    private static final int MOST_KEPT = 200_000;

    private final CurrentRules rules;
    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final Cache<EntityKey, StoredPeople> kept =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_KEPT)
                    .<EntityKey, StoredPeople>weigher((_, it) -> 1 + it.people().size())
                    .expireAfterWrite(NAMES)
                    .executor(Runnable::run)
                    .build();

    /** Creates a reader without kept users. */
    public PeopleReader(CurrentRules rules, PeopleTable table, PostgresBulkhead gate) {
        this.rules = rules;
        this.table = table;
        this.gate = gate;
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
        RulesInForce current = rules.current();
        Map<EntityKey, StoredPeople> stored = query.tellsUsers() ? users(views, query) : Map.of();
        Set<String> friends =
                viewer == null || query.friends() == null || stored.isEmpty()
                        ? Set.of()
                        : friends(viewer);
        Map<EntityKey, StoredFriends> found =
                friends.isEmpty() || viewer == null ? Map.of() : onCrowds(stored, viewer);
        Map<EntityKey, PeopleOfState> people = new HashMap<>();
        views.forEach(
                (key, view) ->
                        people.put(
                                key,
                                new PeopleSelection(
                                                query,
                                                new Views(current, key),
                                                stored.get(key),
                                                friends,
                                                found.getOrDefault(key, StoredFriends.NONE))
                                        .of(view)));
        return people;
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
                    if (known != null
                            && known.state().compareTo(view.state()) >= 0
                            && (known.complete() || !all)) {
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

    private Set<String> friends(String viewer) {
        return gate.ask(() -> table.friends(viewer));
    }

    private Map<EntityKey, StoredFriends> onCrowds(
            Map<EntityKey, StoredPeople> stored, String viewer) {
        var crowds =
                stored.entrySet().stream()
                        .filter(each -> !each.getValue().complete())
                        .map(Map.Entry::getKey)
                        .toList();
        return crowds.isEmpty() ? Map.of() : gate.ask(() -> table.friends(viewer, crowds));
    }
}
