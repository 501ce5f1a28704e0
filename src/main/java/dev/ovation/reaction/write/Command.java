package dev.ovation.reaction.write;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.rules.Traits;

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
 * @param traits what the request names of the user
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
        Traits traits) {

    /** Creates a command of a user of whom nothing is named. */
    public Command(
            ChangeKind kind,
            String namespace,
            String entity,
            String user,
            List<String> reactions,
            boolean force,
            boolean existingIsFine,
            @Nullable IdempotencyKey key,
            IfMatch condition) {
        this(
                kind,
                namespace,
                entity,
                user,
                reactions,
                force,
                existingIsFine,
                key,
                condition,
                Traits.NONE);
    }

    /** Creates a command about one reaction. */
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
                IfMatch.ANY);
    }

    /** Returns this command of a user of these traits, which distinguish its request. */
    public Command with(Traits named) {
        return named.equals(traits)
                ? this
                : new Command(
                        kind,
                        namespace,
                        entity,
                        user,
                        reactions,
                        force,
                        existingIsFine,
                        key == null ? null : key.with(named),
                        condition,
                        named);
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
