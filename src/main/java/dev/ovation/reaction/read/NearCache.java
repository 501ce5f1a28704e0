package dev.ovation.reaction.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.EntityState;
import dev.ovation.reaction.view.EntityView;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;

/**
 * What entities showed a moment ago to nobody in particular. What it gives is never older than its
 * bound, counted from before it was asked for; views of a user are never kept. What is older is
 * still good for who learns from Redis that it is the state of this very moment.
 */
public final class NearCache {

    /** After that even a state that is still the same is read anew, whatever was wrong with it. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Cache<EntityKey, Entry> kept;
    private final long maxAgeNanos;
    private final Counter hits;
    private final Counter misses;

    /** Never gives way to one that was asked for earlier. */
    sealed interface Entry {

        /** When, by {@link System#nanoTime}. */
        long asked();

        static Entry newer(Entry old, Entry other) {
            return old.asked() - other.asked() > 0 ? old : other;
        }
    }

    /** Instead of what an entity showed before this instance changed it. */
    private record Forgotten(long asked) implements Entry {}

    /**
     * What an entity showed.
     *
     * @param state its state then, with nobody's reactions
     * @param view what that shows to nobody in particular
     * @param alone whether it was asked for without a user: only then it is given for its bound
     * @param asked when it was asked for, by {@link System#nanoTime}
     */
    record Kept(EntityState state, EntityView view, RulesInForce rules, boolean alone, long asked)
            implements Entry {
        @SuppressWarnings("ReferenceEquality") // each refresh makes another object
        boolean isBy(RulesInForce current) {
            return rules == current;
        }
    }

    /** An empty cache, which counts its lookups and entities in the registry. */
    public NearCache(NearCacheSettings settings, MeterRegistry registry) {
        maxAgeNanos = settings.maxAge().toNanos();
        // In the thread of the reader: another one would cost more than what it has to do.
        kept = Caffeine.newBuilder().maximumSize(settings.size()).executor(Runnable::run).build();
        hits = lookups(registry, "hit");
        misses = lookups(registry, "miss");
        Gauge.builder("ovation.nearcache.entities", kept, Cache::estimatedSize)
                .description("Entities whose counts are kept in this process")
                .register(registry);
    }

    /**
     * Returns what an entity showed to nobody in particular.
     *
     * @param viewer who asks: a user is never given what is kept
     * @param rules those in force: by others it might show something else
     * @return null when that is not known, or too old
     */
    @Nullable EntityView get(EntityKey key, @Nullable String viewer, RulesInForce rules) {
        if (viewer != null || maxAgeNanos == 0) {
            return null;
        }
        if (kept.getIfPresent(key) instanceof Kept found && found.alone && found.isBy(rules)) {
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
     * Returns what an entity showed some time ago, for who asks Redis whether that is its state.
     *
     * @param rules those in force
     */
    @Nullable Kept known(EntityKey key, RulesInForce rules) {
        return kept.getIfPresent(key) instanceof Kept found
                        && found.isBy(rules)
                        && System.nanoTime() - found.asked < LONGEST_NANOS
                ? found
                : null;
    }

    /** Keeps what an entity shows. */
    void put(EntityKey key, Kept shown) {
        kept.asMap().merge(key, shown, Entry::newer);
    }

    /**
     * Forgets an entity that this instance has changed: who changed it need not wait to see it. Who
     * asked for it before and comes with the answer later does not bring it back.
     */
    public void forget(EntityKey key) {
        kept.asMap().merge(key, new Forgotten(System.nanoTime()), Entry::newer);
    }

    /** Rounded up, as max-age is rounded down: no cache in between makes them older than stated. */
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
