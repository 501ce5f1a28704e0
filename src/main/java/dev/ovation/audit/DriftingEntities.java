package dev.ovation.audit;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The entities that this instance found in drift and has not found consistent since. Logs and
 * metrics name no ids; the next audit on request names these entities first.
 */
final class DriftingEntities {

    private static final int MOST = 1000;

    private final Set<EntityKey> keys = new LinkedHashSet<>();

    synchronized void add(EntityKey key) {
        if (keys.size() < MOST) {
            keys.add(key);
        }
    }

    synchronized void remove(EntityKey key) {
        keys.remove(key);
    }

    synchronized boolean contains(EntityKey key) {
        return keys.contains(key);
    }

    /** Returns entities of a namespace, or of all namespaces, up to the given number. */
    synchronized List<EntityKey> of(@Nullable String namespace, int limit) {
        return keys.stream()
                .filter(key -> namespace == null || key.namespace().equals(namespace))
                .limit(limit)
                .toList();
    }
}
