package dev.ovation.reaction;

import dev.ovation.configuration.Rules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.EntityState;
import dev.ovation.web.Permits;
import dev.ovation.web.ProblemException;
import dev.ovation.web.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what entities show; what they show to nobody in particular, from the near cache. */
final class Reader {

    private final Rules rules;
    private final NearCache near;
    private final States states;
    private final Permits permits;

    Reader(Rules rules, NearCache near, States states, Permits permits) {
        this.rules = rules;
        this.near = near;
        this.states = states;
        this.permits = permits;
    }

    EntityView read(String namespace, String entity, @Nullable String user) {
        try {
            RulesInForce current = rules.knowing(namespace);
            var key = new EntityKey(namespace, entity);
            EntityView known = user == null ? near.get(key, current) : null;
            if (known != null) {
                return known;
            }
            try (var _ = permits.take()) {
                long asked = System.nanoTime();
                return view(key, states.one(key, user), user, current, asked);
            }
        } catch (DataAccessException e) {
            throw unavailable();
        }
    }

    /** Each entity is read once, however often it is asked for. */
    List<EntityView> read(EntityQuery query) {
        try {
            RulesInForce current = knowing(query);
            Map<EntityKey, EntityView> views = new HashMap<>();
            Set<EntityKey> missing = new LinkedHashSet<>();
            for (EntityQuery.Item item : query.items()) {
                EntityView known = query.viewer() == null ? near.get(item.key(), current) : null;
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
            throw unavailable();
        }
    }

    private Map<EntityKey, EntityView> read(
            Set<EntityKey> keys, @Nullable String user, RulesInForce current) {
        Map<EntityKey, EntityView> views = new HashMap<>();
        try (var _ = permits.take()) {
            long asked = System.nanoTime();
            states.all(keys, user)
                    .forEach(
                            (key, state) -> views.put(key, view(key, state, user, current, asked)));
        }
        return views;
    }

    private EntityView view(
            EntityKey key,
            EntityState state,
            @Nullable String user,
            RulesInForce current,
            long asked) {
        EntityView view =
                new Views(current, key)
                        .view(state.epoch(), state.version(), state.counters(), user, state.own());
        if (user == null) {
            near.put(key, current, view, asked);
        }
        return view;
    }

    /** The newest rules, which know the namespaces of all items. */
    private RulesInForce knowing(EntityQuery query) {
        RulesInForce current = rules.knowing(query.namespace());
        for (EntityQuery.Item item : query.items()) {
            if (current.namespace(item.key().namespace()) == null) {
                current = rules.knowing(item.key().namespace());
            }
        }
        return current;
    }

    private static ProblemException unavailable() {
        return Problems.unavailable("the entity cannot be read now", Duration.ofSeconds(1));
    }
}
