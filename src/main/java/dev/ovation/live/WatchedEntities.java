package dev.ovation.live;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The entities that streams of this instance watch. */
final class WatchedEntities {

    private final ConcurrentHashMap<EntityKey, WatchedEntity> entities = new ConcurrentHashMap<>();

    /** A watched entity and its streams. */
    static final class WatchedEntity {

        /** No number of a state. */
        static final long NONE = -1;

        private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet(1);

        /** Number of the state that all streams were offered last. */
        private volatile long offered = NONE;

        Set<Watcher> watchers() {
            return watchers;
        }

        long offered() {
            return offered;
        }

        void offered(long number) {
            offered = number;
        }
    }

    /** Returns the entity, null when no stream watches it. */
    @Nullable WatchedEntity of(EntityKey key) {
        return entities.get(key);
    }

    Set<EntityKey> keys() {
        return entities.keySet();
    }

    int size() {
        return entities.size();
    }

    void add(Watcher watcher, Collection<EntityKey> keys) {
        for (EntityKey key : keys) {
            entities.compute(
                    key,
                    (_, known) -> {
                        var entity = known == null ? new WatchedEntity() : known;
                        entity.watchers.add(watcher);
                        return entity;
                    });
        }
    }

    void remove(Watcher watcher, Collection<EntityKey> keys) {
        for (EntityKey key : keys) {
            entities.computeIfPresent(
                    key,
                    (_, entity) -> {
                        entity.watchers.remove(watcher);
                        return entity.watchers.isEmpty() ? null : entity;
                    });
        }
    }
}
