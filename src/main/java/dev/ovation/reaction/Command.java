package dev.ovation.reaction;

import org.jspecify.annotations.Nullable;

/**
 * A user's wish to add or remove one reaction; its ids are well-formed.
 *
 * @param force whether conflicting reactions of the user are removed in the same step
 * @param existingIsFine whether adding what is already there succeeds
 * @param key null when the client sent none
 */
record Command(
        Kind kind,
        String namespace,
        String entity,
        String user,
        String reaction,
        boolean force,
        boolean existingIsFine,
        @Nullable IdempotencyKey key) {

    enum Kind {
        ADD,
        REMOVE
    }
}
