package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;

/** The lock of an entity, held until the end of the transaction: an advisory one, by a hash. */
public final class EntityLock {

    private final JdbcTemplate jdbc;

    public EntityLock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Waits until it is ours. */
    public void take(EntityKey key) {
        jdbc.query(
                "select pg_advisory_xact_lock(hashtext(?))",
                _ -> {},
                key.namespace() + '/' + key.entity());
    }
}
