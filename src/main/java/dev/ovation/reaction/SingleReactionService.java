package dev.ovation.reaction;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.write.Command;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;

import org.springframework.stereotype.Component;

/** The interface of this package for modules that handle one reaction at a time. */
@Component
public final class SingleReactionService {

    private final Reactions reactions;

    SingleReactionService(Reactions reactions) {
        this.reactions = reactions;
    }

    /**
     * Adds a reaction, as {@code POST /reactions} does; its ids are well-formed.
     *
     * @throws ProblemException when the reaction is refused, for instance because it exists, or
     *     when its outcome is unknown
     */
    public void add(EntityKey key, String user, String reaction) {
        var command =
                new Command(
                        ChangeKind.ADD,
                        key.namespace(),
                        key.entity(),
                        user,
                        reaction,
                        false,
                        false,
                        null);
        var _ = reactions.write(command, false);
    }

    /**
     * Returns whether the user has this reaction, own acknowledged changes included.
     *
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    public boolean has(EntityKey key, String user, String reaction) {
        return reactions.read(key.namespace(), key.entity(), user).userReactions().stream()
                .anyMatch(each -> same(each, reaction));
    }

    /**
     * Returns how many users have this reaction, in the view without a viewer.
     *
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    public long count(EntityKey key, String reaction) {
        return reactions.read(key.namespace(), key.entity(), null).counts().stream()
                .filter(each -> same(each.reaction(), reaction))
                .mapToLong(ReactionCount::count)
                .sum();
    }

    private static boolean same(String spelled, String reaction) {
        return ReactionKey.of(spelled).equals(ReactionKey.of(reaction));
    }
}
