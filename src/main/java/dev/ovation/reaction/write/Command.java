package dev.ovation.reaction.write;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A user's wish about their reactions to one entity; its ids are well-formed.
 *
 * @param reactions the one to add or remove, as it was sent; or the keys of all that the user is to
 *     have, each once, in the order of their bytes
 * @param force whether conflicting reactions of the user are removed in the same step
 * @param existingIsFine whether adding what is already there succeeds
 * @param key null when the client sent none
 * @param condition on which state alone it is to be done
 */
public record Command(
        Kind kind,
        String namespace,
        String entity,
        String user,
        List<String> reactions,
        boolean force,
        boolean existingIsFine,
        @Nullable IdempotencyKey key,
        IfMatch condition) {

    /** What is to become of the reactions. */
    public enum Kind {
        ADD,
        REMOVE,
        /** What is not wanted goes, what is missing comes. */
        PUT
    }

    /** A wish about one reaction. */
    public Command(
            Kind kind,
            String namespace,
            String entity,
            String user,
            String reaction,
            boolean force,
            boolean existingIsFine,
            @Nullable IdempotencyKey key) {
        this(
                kind,
                namespace,
                entity,
                user,
                List.of(reaction),
                force,
                existingIsFine,
                key,
                IfMatch.ANY);
    }

    /** The one that is to be added or removed. */
    public String reaction() {
        return reactions.getFirst();
    }

    /** The entity that is meant. */
    public EntityKey entityKey() {
        return new EntityKey(namespace, entity);
    }
}
