package dev.ovation.transfer.file;

import org.jspecify.annotations.Nullable;

/**
 * The content of one row of a file, in its stored form.
 *
 * @param namespace of a reaction; otherwise null
 * @param entity of a reaction; otherwise null
 * @param value the key of a reaction, a display name (empty for none), or a friend
 * @param at of a reaction, in microseconds since 1970; otherwise 0
 * @param avatar address of the user's picture; otherwise null
 * @param removes whether the user took the reaction back at that time
 * @param form of a reaction that is compared without its skin tones: its key with them; otherwise
 *     null
 */
public record FileRow(
        @Nullable String namespace,
        @Nullable String entity,
        String user,
        String value,
        long at,
        @Nullable String avatar,
        boolean removes,
        @Nullable String form) {

    private static final long FACTOR = 1_000_003;

    /** Creates a row without an avatar that adds. */
    public FileRow(
            @Nullable String namespace,
            @Nullable String entity,
            String user,
            String value,
            long at) {
        this(namespace, entity, user, value, at, null, false, null);
    }

    /** Returns the row with another key and a form. */
    public FileRow withReaction(String key, @Nullable String itsForm) {
        return key.equals(value)
                ? this
                : new FileRow(namespace, entity, user, key, at, avatar, removes, itsForm);
    }

    /**
     * Continues the digest of the previous rows; the digest is stored, so its computation must
     * never change.
     */
    public long digest(long before) {
        long digest = before;
        digest = digest * FACTOR + (namespace == null ? 0 : namespace.hashCode());
        digest = digest * FACTOR + (entity == null ? 0 : entity.hashCode());
        digest = digest * FACTOR + user.hashCode();
        digest = digest * FACTOR + value.hashCode();
        digest = digest * FACTOR + (removes ? ~at : at);
        return avatar == null ? digest : digest * FACTOR + avatar.hashCode();
    }
}
