package dev.ovation.audit;

import java.util.Locale;

/**
 * One difference within an entity.
 *
 * @param store the store with the wrong value
 * @param kind the kind of the difference
 * @param name the reaction or the user; empty for a difference of the whole entity
 * @param expected the expected value
 * @param found the value that was found
 */
record Difference(Store store, DriftKind kind, String name, String expected, String found) {

    /** The store that holds the wrong value. */
    enum Store {
        /** Postgres: the counters or the row differ from the user reactions. */
        POSTGRES,
        /** Redis: the hot state differs from Postgres. */
        REDIS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The kinds of differences. */
    enum DriftKind {
        /** The count of a reaction. */
        COUNT,
        /** The number of users with a reaction. */
        PEOPLE,
        /**
         * The times of the first and the last reaction of a kind: {@code first/last}, in
         * microseconds since 1970.
         */
        TIMES,
        /** The reactions of a user, or the number of reactions of all users. */
        USER,
        /** The state of the entity, as {@code version/op}; empty for none. */
        VERSION,
        /** A dirty entity has a time to live, or a clean one has none. */
        TTL,
        /** A change waits for its commit, but the outbox lacks it. */
        OUTBOX;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the store and the kind, without ids and values. */
    String what() {
        return store.label() + " " + kind.label();
    }

    @Override
    public String toString() {
        return "%s %s%s is %s instead of %s"
                .formatted(
                        store.label(),
                        kind.label(),
                        name.isEmpty() || kind == DriftKind.USER ? "" : " " + name,
                        found,
                        expected);
    }
}
