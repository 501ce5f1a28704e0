package dev.ovation.audit;

import java.util.Locale;

/**
 * One thing about an entity that is not as it must be.
 *
 * @param store where it is wrong
 * @param kind what is wrong
 * @param name the reaction or the user that it is about; empty when it is about the whole entity
 * @param expected what should be there
 * @param found what is there
 */
record Difference(Store store, DriftKind kind, String name, String expected, String found) {

    /** The store that holds the wrong value. */
    enum Store {
        /** Judged by the user reactions. */
        POSTGRES,
        /** Judged by Postgres. */
        REDIS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What can be wrong. */
    enum DriftKind {
        /** The count of a reaction. */
        COUNT,
        /** When a reaction came first and last: {@code first/last}, in microseconds since 1970. */
        TIMES,
        /** The reactions of a user, or how many all users have together. */
        USER,
        /** The state of the entity, as {@code version/op}, or that it has none. */
        VERSION,
        /** A time to live that a dirty entity has, or a clean one has not. */
        TTL,
        /** A change waits for its commit, but the outbox does not hold it. */
        OUTBOX;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is wrong, without ids and values. */
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
