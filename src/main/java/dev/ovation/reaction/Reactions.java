package dev.ovation.reaction;

import dev.ovation.web.ProblemException;

import org.jspecify.annotations.Nullable;

/** The use cases of reactions. */
interface Reactions {

    /**
     * What an entity shows.
     *
     * @param user whose reactions are wanted too, or null
     * @throws ProblemException when there is no such namespace, or it cannot be read now
     */
    EntityView read(String namespace, String entity, @Nullable String user);

    /**
     * Adds or removes one reaction; returns once the change, if any, is durable.
     *
     * @param withState whether the result's entity must hold counts and the user's reactions
     * @throws ProblemException when it is refused, or when its outcome is not known
     */
    WriteResult write(Command command, boolean withState);
}
