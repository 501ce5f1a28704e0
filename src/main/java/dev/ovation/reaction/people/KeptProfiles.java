package dev.ovation.reaction.people;

import com.github.benmanes.caffeine.cache.Ticker;

import dev.ovation.reaction.people.KeptByUser.Dated;
import dev.ovation.reaction.people.KeptByUser.Moment;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Names and avatars of users, kept in this process for a time. */
final class KeptProfiles {

    private static final int MOST = 100_000;

    private final PeopleTable table;
    private final PostgresBulkhead gate;
    private final KeptByUser<Profile> kept;

    /**
     * Creates it empty.
     *
     * @param ticker the time in nanoseconds
     */
    KeptProfiles(PeopleTable table, PostgresBulkhead gate, Ticker ticker) {
        this.table = table;
        this.gate = gate;
        this.kept = new KeptByUser<>(MOST, _ -> 1, ticker);
    }

    /** The name and the avatar of a user; null when none is stored. */
    record Profile(@Nullable String displayName, @Nullable String avatarUrl) {
        static final Profile NONE = new Profile(null, null);
    }

    /** Forgets the profiles of users. */
    void forget(Collection<String> users) {
        kept.forget(users);
    }

    /**
     * Returns the profiles of users. When one of them must be read, those that have reached half of
     * the greatest age are read with it, so that users of the same screens do not need a statement
     * each.
     */
    Map<String, Profile> of(Collection<String> users) {
        Moment now = kept.now();
        Map<String, Profile> found = new HashMap<>();
        Set<String> aging = new HashSet<>();
        boolean lacks = false;
        for (String user : users) {
            Dated<Profile> known = kept.get(user, now);
            if (known == null) {
                lacks = true;
            } else {
                found.put(user, known.value());
            }
            if (known == null || known.age(now) >= KeptByUser.OLDEST / 2) {
                aging.add(user);
            }
        }
        if (lacks) {
            Map<String, Profile> stored = gate.ask(() -> table.profiles(aging));
            for (String user : aging) {
                Profile profile = stored.getOrDefault(user, Profile.NONE);
                found.put(user, profile);
                kept.keep(user, profile, now);
            }
        }
        return found;
    }
}
