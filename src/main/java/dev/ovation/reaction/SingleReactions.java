package dev.ovation.reaction;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.write.Command;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;

import org.springframework.stereotype.Component;

/** The door of this module for others of the program that know one reaction at a time. */
@Component
public final class SingleReactions {

    private final Reactions reactions;

    SingleReactions(Reactions reactions) {
        this.reactions = reactions;
    }

    /**
     * Adds a reaction, as {@code POST /reactions} does; its ids are well-formed.
     *
     * @throws ProblemException when it is refused, there already for instance, or when its outcome
     *     is not known
     */
    public void add(EntityKey key, String user, String reaction) {
        var command =
                new Command(
                        Command.Kind.ADD,
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
     * Whether the user has this reaction, own acknowledged changes included.
     *
     * @throws ProblemException when there is no such namespace, or it cannot be read now
     */
    public boolean has(EntityKey key, String user, String reaction) {
        return reactions.read(key.namespace(), key.entity(), user).userReactions().stream()
                .anyMatch(each -> same(each, reaction));
    }

    /**
     * How many users have this reaction, as nobody in particular sees it.
     *
     * @throws ProblemException when there is no such namespace, or it cannot be read now
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
