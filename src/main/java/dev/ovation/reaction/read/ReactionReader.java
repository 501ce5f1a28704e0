package dev.ovation.reaction.read;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.EntityState;
import dev.ovation.reaction.read.NearCache.CachedView;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the views of entities; views without a viewer come from the near cache. For a user Redis is
 * always asked; when Redis reports a known state, only the user's own reactions are read.
 */
public final class ReactionReader {

    private final CurrentRules rules;
    private final NearCache near;
    private final EntityStates states;
    private final Bulkhead permits;

    /**
     * Creates a reader that reads entities outside the cache from the states, with one permit for
     * each.
     */
    public ReactionReader(
            CurrentRules rules, NearCache near, EntityStates states, Bulkhead permits) {
        this.rules = rules;
        this.near = near;
        this.states = states;
        this.permits = permits;
    }

    /**
     * Reads the view of an entity.
     *
     * @param user viewer, or null
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    public EntityView read(String namespace, String entity, @Nullable String user) {
        try {
            RulesInForce current = rules.forNamespace(namespace);
            var key = new EntityKey(namespace, entity);
            EntityView known = near.get(key, user, current);
            if (known != null) {
                return known;
            }
            try (var _ = permits.take()) {
                long asked = System.nanoTime();
                CachedView kept = near.known(key, current);
                EntityState state = states.one(key, user, state(kept));
                return view(key, state, kept, user, current, asked);
            }
        } catch (DataAccessException e) {
            throw unavailable().because(e);
        }
    }

    /**
     * Reads the views of many entities; an entity that is named more than once is read once.
     *
     * @return in the order of the query's items
     * @throws ProblemException when there is no such namespace, or an entity cannot be read now
     */
    public List<EntityView> read(EntityQuery query) {
        try {
            RulesInForce current = rules.forNamespace(query.namespaces());
            Map<EntityKey, EntityView> views = new HashMap<>();
            Set<EntityKey> missing = new LinkedHashSet<>();
            for (EntityQuery.ScreenItem item : query.items()) {
                EntityView known = near.get(item.key(), query.viewer(), current);
                if (known == null || item.knowsMoreThan(known)) {
                    missing.add(item.key());
                } else {
                    views.put(item.key(), known);
                }
            }
            if (!missing.isEmpty()) {
                views.putAll(read(missing, query.viewer(), current));
            }
            return query.items().stream().map(item -> views.get(item.key())).toList();
        } catch (DataAccessException e) {
            throw unavailable().because(e);
        }
    }

    private Map<EntityKey, EntityView> read(
            Set<EntityKey> keys, @Nullable String user, RulesInForce current) {
        Map<EntityKey, EntityView> views = new HashMap<>();
        try (var _ = permits.take(keys.size())) {
            long asked = System.nanoTime();
            Map<EntityKey, CachedView> known = known(keys, current);
            states.all(keys, user, key -> user == null ? null : state(known.get(key)))
                    .forEach(
                            (key, state) ->
                                    views.put(
                                            key,
                                            view(
                                                    key,
                                                    state,
                                                    known.get(key),
                                                    user,
                                                    current,
                                                    asked)));
        }
        return views;
    }

    private Map<EntityKey, CachedView> known(Set<EntityKey> keys, RulesInForce current) {
        Map<EntityKey, CachedView> known = new HashMap<>();
        for (EntityKey key : keys) {
            CachedView kept = near.known(key, current);
            if (kept != null) {
                known.put(key, kept);
            }
        }
        return known;
    }

    private static @Nullable EntityState state(@Nullable CachedView kept) {
        return kept == null ? null : kept.state();
    }

    /** Returns a view, with the JSON of the cached view when the state is the same. */
    private EntityView view(
            EntityKey key,
            EntityState state,
            @Nullable CachedView kept,
            @Nullable String user,
            RulesInForce current,
            long asked) {
        var views = new Views(current, key);
        EntityView known = kept != null && state.isSameAs(kept.state()) ? kept.view() : null;
        EntityView shown =
                known != null
                        ? known
                        : views.view(
                                state.epoch(),
                                state.version(),
                                state.counters(),
                                null,
                                List.of(),
                                state.locked());
        if (user == null || known == null) {
            EntityState nobodys = state.seenWith(List.of());
            near.put(key, new CachedView(nobodys, shown, current, user == null, asked));
        }
        return user == null ? shown : shown.seenBy(user, views.spelled(state.own()));
    }

    private static ProblemException unavailable() {
        return Problems.unavailable("the entity cannot be read now", Duration.ofSeconds(1));
    }
}
