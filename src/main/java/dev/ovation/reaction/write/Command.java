package dev.ovation.reaction.write;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.attribute.Attributes;
import dev.ovation.reaction.attribute.RequestAttributes;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A user's change of their reactions to one entity; its ids are well-formed.
 *
 * @param reactions the reaction to add or remove, in the client's spelling; or the keys of all
 *     reactions that the user is to have, each once, in the order of their bytes
 * @param force whether conflicting reactions of the user are removed in the same step
 * @param existingIsFine whether the addition of an existing reaction succeeds
 * @param key null when the client sent none
 * @param condition states on which the change may apply
 * @param attributes what constraints may read of the request
 */
public record Command(
        ChangeKind kind,
        String namespace,
        String entity,
        String user,
        List<String> reactions,
        boolean force,
        boolean existingIsFine,
        @Nullable IdempotencyKey key,
        IfMatch condition,
        RequestAttributes attributes) {

    /** Creates a command about one reaction, without attributes. */
    public Command(
            ChangeKind kind,
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
                IfMatch.ANY,
                RequestAttributes.NONE);
    }

    /** Returns the same command with these attributes, which its idempotency key covers. */
    public Command with(RequestAttributes others) {
        if (others.isEmpty()) {
            return this;
        }
        return new Command(
                kind,
                namespace,
                entity,
                user,
                reactions,
                force,
                existingIsFine,
                key == null ? null : key.with(Attributes.encoded(others.body())),
                condition,
                others);
    }

    /** Returns the reaction to add or remove. */
    public String reaction() {
        return reactions.getFirst();
    }

    /** Returns the key of the entity. */
    public EntityKey entityKey() {
        return new EntityKey(namespace, entity);
    }
}
