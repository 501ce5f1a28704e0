package dev.ovation.reaction.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.EntityState;
import dev.ovation.reaction.view.EntityView;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The latest views of entities without a viewer. A returned view is never older than the bound,
 * counted from before the request for it; views of a user are never cached. An older view remains
 * usable when Redis confirms that its state is the current one.
 */
public final class NearCache {

    /** The age after which even an unchanged state is read anew, whatever errors it has. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Cache<EntityKey, CachedEntry> kept;
    private static final int MOST_ENTITIES = 20_000;

    private final long maxAgeNanos;
    private final Counter hits;
    private final Counter misses;

    /** An entry; it never gives way to one that was requested earlier. */
    sealed interface CachedEntry {

        /** Returns the time of the request, by {@link System#nanoTime}. */
        long asked();

        static CachedEntry newer(CachedEntry old, CachedEntry other) {
            return old.asked() - other.asked() > 0 ? old : other;
        }
    }

    /** Replaces the view of an entity that this instance changed. */
    private record Forgotten(long asked) implements CachedEntry {}

    /**
     * A cached view of an entity.
     *
     * @param state state of the view, without the reactions of a user
     * @param view view of that state without a viewer
     * @param alone whether the view was requested without a user: only then is it returned within
     *     its bound
     * @param asked time of the request, by {@link System#nanoTime}
     */
    record CachedView(
            EntityState state, EntityView view, RulesInForce rules, boolean alone, long asked)
            implements CachedEntry {
        @SuppressWarnings("ReferenceEquality") // each refresh creates a new object
        boolean isBy(RulesInForce current) {
            return rules == current;
        }
    }

    /** Creates an empty cache, which counts its lookups and entities in the registry. */
    public NearCache(NearCacheSettings settings, MeterRegistry registry) {
        this(settings.maxAge(), MOST_ENTITIES, registry);
    }

    /** Creates an empty cache for at most {@code size} entities; the most read ones stay. */
    NearCache(Duration maxAge, int size, MeterRegistry registry) {
        maxAgeNanos = maxAge.toNanos();
        // Runs in the thread of the reader: a separate thread would cost more than the work.
        kept = Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
        hits = lookups(registry, "hit");
        misses = lookups(registry, "miss");
        Gauge.builder("ovation.nearcache.entities", kept, Cache::estimatedSize)
                .description("Entities whose counts are kept in this process")
                .register(registry);
    }

    /**
     * Returns the view of an entity without a viewer.
     *
     * @param viewer viewer, or null; a user never gets a cached view
     * @param rules rules in force; other rules may give another view
     * @return null when no view is cached, or when the cached view is too old
     */
    @Nullable EntityView get(EntityKey key, @Nullable String viewer, RulesInForce rules) {
        if (viewer != null || maxAgeNanos == 0) {
            return null;
        }
        if (kept.getIfPresent(key) instanceof CachedView found
                && found.alone
                && found.isBy(rules)) {
            long age = System.nanoTime() - found.asked;
            if (age < maxAgeNanos) {
                hits.increment();
                return found.view.aged(wholeSeconds(age));
            }
        }
        misses.increment();
        return null;
    }

    /**
     * Returns an older view of an entity, for a caller that asks Redis whether its state is
     * current.
     *
     * @param rules rules in force
     */
    @Nullable CachedView known(EntityKey key, RulesInForce rules) {
        return kept.getIfPresent(key) instanceof CachedView found
                        && found.isBy(rules)
                        && System.nanoTime() - found.asked < LONGEST_NANOS
                ? found
                : null;
    }

    /** Caches the view of an entity. */
    void put(EntityKey key, CachedView shown) {
        kept.asMap().merge(key, shown, CachedEntry::newer);
    }

    /**
     * Removes an entity that this instance has changed, so that the change is visible at once. An
     * answer to an earlier request does not restore the entity.
     */
    public void forget(EntityKey key) {
        kept.asMap().merge(key, new Forgotten(System.nanoTime()), CachedEntry::newer);
    }

    /**
     * Rounds up, as max-age is rounded down: no cache in between returns counts older than stated.
     */
    private static long wholeSeconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos + TimeUnit.SECONDS.toNanos(1) - 1);
    }

    private static Counter lookups(MeterRegistry registry, String result) {
        return Counter.builder("ovation.nearcache.lookups")
                .description("Lookups of counts that this process may have")
                .tag("result", result)
                .register(registry);
    }
}
