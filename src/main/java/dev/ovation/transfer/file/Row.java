package dev.ovation.transfer.file;

import org.jspecify.annotations.Nullable;

/**
 * What one row of a file says, in the form in which it is stored.
 *
 * @param namespace of a reaction; else null
 * @param entity of a reaction; else null
 * @param value the key of a reaction, a display name, or a friend
 * @param at of a reaction, in microseconds since 1970; else 0
 */
public record Row(
        @Nullable String namespace, @Nullable String entity, String user, String value, long at) {

    private static final long FACTOR = 1_000_003;

    /** Goes on with the digest of the rows before; it is kept, so it must never change. */
    public long digest(long before) {
        long digest = before;
        digest = digest * FACTOR + (namespace == null ? 0 : namespace.hashCode());
        digest = digest * FACTOR + (entity == null ? 0 : entity.hashCode());
        digest = digest * FACTOR + user.hashCode();
        digest = digest * FACTOR + value.hashCode();
        return digest * FACTOR + at;
    }
}
