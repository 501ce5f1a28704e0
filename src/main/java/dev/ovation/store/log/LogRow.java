package dev.ovation.store.log;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

/**
 * A row of table {@code change_log}.
 *
 * @param position its number within partition {@code p}
 * @param kind of event, as the table names it
 * @param key the entity; null for the erasure of a user from all entities
 * @param user the user who made the change or was erased; null for many users, or an erased one
 * @param epoch with {@code version}, the state of the entity after the change
 * @param at microseconds since 1970
 * @param total number of reactions on the entity after the change
 * @param change its reactions and their counts, as JSON
 */
public record LogRow(
        int p,
        long position,
        String kind,
        @Nullable EntityKey key,
        @Nullable String user,
        long epoch,
        long version,
        long at,
        long total,
        String change) {}
