package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/**
 * Values of users, kept in this process for {@link #OLDEST}, or until they change through this
 * process. A value that was read while any user changed is not kept, because it may be the value
 * from before the change.
 */
final class KeptByUser<V> {

    /** Greatest age in nanoseconds, counted from before the read. */
    static final long OLDEST = TimeUnit.SECONDS.toNanos(5);

    private final Ticker ticker;
    private final Cache<String, Dated<V>> kept;
    private final AtomicLong changes = new AtomicLong();

    /**
     * Creates it empty.
     *
     * @param maxWeight greatest sum of the weights
     * @param ticker the time in nanoseconds
     */
    KeptByUser(long maxWeight, ToIntFunction<V> weight, Ticker ticker) {
        this.ticker = ticker;
        this.kept =
                Caffeine.newBuilder()
                        .maximumWeight(maxWeight)
                        .<String, Dated<V>>weigher((_, it) -> weight.applyAsInt(it.value))
                        .expireAfterWrite(OLDEST, TimeUnit.NANOSECONDS)
                        .ticker(ticker)
                        .executor(Runnable::run)
                        .build();
    }

    /**
     * A value that is kept.
     *
     * @param at time before its read, in nanoseconds
     */
    record Dated<V>(V value, long at) {

        /** Returns its age in nanoseconds. */
        long age(Moment now) {
            return now.at - at;
        }
    }

    /**
     * The time before a read.
     *
     * @param at in nanoseconds
     * @param changes number of changes before it
     */
    record Moment(long at, long changes) {}

    Moment now() {
        return new Moment(ticker.read(), changes.get());
    }

    /** Returns the value of a user, with its age; null when none is kept. */
    @Nullable Dated<V> get(String user, Moment now) {
        Dated<V> known = kept.getIfPresent(user);
        return known == null || known.age(now) >= OLDEST ? null : known;
    }

    /** Keeps a value that was read after this moment. */
    void keep(String user, V value, Moment before) {
        kept.asMap()
                .compute(
                        user,
                        (_, known) ->
                                changes.get() == before.changes
                                        ? new Dated<>(value, before.at)
                                        : known);
    }

    /** Forgets the values of users who have changed. */
    void forget(Collection<String> users) {
        changes.incrementAndGet();
        kept.invalidateAll(users);
    }
}
