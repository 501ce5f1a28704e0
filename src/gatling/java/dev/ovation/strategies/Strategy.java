package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

/**
 * A way to store reactions in Postgres. Its methods use the connection of the surrounding
 * transaction; a caller that adds holds the {@link EntityLock}. Reactions are identified by their
 * keys.
 */
public interface Strategy extends Schema {

    /** The statements that create its tables. */
    List<String> tables();

    /** Number of users of each reaction, as constraints must see it; none is 0. */
    Map<String, Long> counts(EntityKey key);

    /** The counts as readers see them, which may be older. */
    default Map<String, Long> shown(EntityKey key) {
        return counts(key);
    }

    List<String> own(EntityKey key, String user);

    /** Counts of an entity and a user's own reactions on it, both by key. */
    record Seen(Map<String, Long> counts, List<String> own) {}

    /** Counts and own reactions as a user sees them. */
    default Seen seen(EntityKey key, String user) {
        return new Seen(shown(key), own(key, user));
    }

    /** Acquires the lock of an entity, and then reads it as constraints must see it. */
    default Seen locked(EntityLock lock, EntityKey key, String user) {
        lock.take(key);
        return new Seen(counts(key), own(key, user));
    }

    /** Adds a reaction that the user does not have. */
    void add(EntityKey key, String user, String reaction);

    /** Removes a reaction, in one statement; returns whether the user had it. */
    boolean remove(EntityKey key, String user, String reaction);

    @Override
    default String fingerprint() {
        return tables().toString() + filling();
    }

    @Override
    default void create(DataSource database) {
        Schema.run(database, tables());
    }
}
