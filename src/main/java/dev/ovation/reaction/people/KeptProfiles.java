package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Names and avatars of users, kept in this process for a time. */
final class KeptProfiles {

    /** Greatest age in nanoseconds, counted from before the read. */
    static final long OLDEST = TimeUnit.SECONDS.toNanos(5);

    private static final int MOST = 100_000;

    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final Ticker ticker;
    private final Cache<String, DatedProfile> kept;

    /**
     * Creates it empty.
     *
     * @param ticker the time in nanoseconds
     */
    KeptProfiles(PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.table = table;
        this.gate = gate;
        this.ticker = ticker;
        this.kept =
                Caffeine.newBuilder()
                        .maximumSize(MOST)
                        .expireAfterWrite(OLDEST, TimeUnit.NANOSECONDS)
                        .ticker(ticker)
                        .executor(Runnable::run)
                        .build();
    }

    /** The name and the avatar of a user; null when none is stored. */
    record Profile(@Nullable String displayName, @Nullable String avatarUrl) {
        static final Profile NONE = new Profile(null, null);
    }

    private record DatedProfile(Profile profile, long askedAt) {}

    /** Forgets the profiles of users. */
    void forget(List<String> users) {
        kept.invalidateAll(users);
    }

    /**
     * Returns the profiles of users. When one of them must be read, those that have reached half of
     * the greatest age are read with it, so that users of the same screens do not need a statement
     * each.
     */
    Map<String, Profile> of(Collection<String> users) {
        long now = ticker.read();
        Map<String, Profile> found = new HashMap<>();
        Set<String> aging = new HashSet<>();
        boolean lacks = false;
        for (String user : users) {
            DatedProfile known = kept.getIfPresent(user);
            long age = known == null ? Long.MAX_VALUE : now - known.askedAt;
            if (known != null && age < OLDEST) {
                found.put(user, known.profile);
            } else {
                lacks = true;
            }
            if (age >= OLDEST / 2) {
                aging.add(user);
            }
        }
        if (lacks) {
            Map<String, Profile> stored = gate.ask(() -> table.profiles(aging));
            for (String user : aging) {
                Profile profile = stored.getOrDefault(user, Profile.NONE);
                found.put(user, profile);
                kept.put(user, new DatedProfile(profile, now));
            }
        }
        return found;
    }
}
