package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;

/** The lock of an entity, held until the end of the transaction: an advisory one, by a hash. */
public final class EntityLock {

    /** Acquires the lock; its parameter is {@link #name}. */
    static final String TAKE = "select pg_advisory_xact_lock(hashtext(?))";

    private final JdbcTemplate jdbc;

    public EntityLock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Acquires the lock. */
    public void take(EntityKey key) {
        jdbc.query(TAKE, _ -> {}, name(key));
    }

    static String name(EntityKey key) {
        return key.namespace() + '/' + key.entity();
    }
}
