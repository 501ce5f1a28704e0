package dev.ovation.hot.filter;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** High-cardinality entities whose users this instance had to look up. */
public final class WantedFilters {

    /** Look-ups from which on a filter is worth its fill. */
    static final int LEAST_LOOKUPS = 8;

    /** Entities that are counted at most. */
    static final int MOST = 1024;

    private final Map<WantedFilter, Integer> lookups = new HashMap<>();

    /** An entity and its partition. */
    record WantedFilter(int p, EntityKey key) {}

    /** Counts a look-up. */
    public synchronized void lookedUp(int p, EntityKey key) {
        var entity = new WantedFilter(p, key);
        if (lookups.size() >= MOST && !lookups.containsKey(entity)) {
            lookups.values().removeIf(count -> count < LEAST_LOOKUPS);
            if (lookups.size() >= MOST) {
                return;
            }
        }
        lookups.merge(entity, 1, Integer::sum);
    }

    /**
     * Removes and returns the entity with the most look-ups; null when none has {@link
     * #LEAST_LOOKUPS}.
     */
    synchronized @Nullable WantedFilter next() {
        var hottest =
                lookups.entrySet().stream()
                        .filter(entity -> entity.getValue() >= LEAST_LOOKUPS)
                        .max(Map.Entry.comparingByValue());
        hottest.ifPresent(entity -> lookups.remove(entity.getKey()));
        return hottest.map(Map.Entry::getKey).orElse(null);
    }

    /** Returns how many entities wait. */
    public synchronized int waiting() {
        return (int) lookups.values().stream().filter(count -> count >= LEAST_LOOKUPS).count();
    }
}
