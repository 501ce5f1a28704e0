package dev.ovation.reaction;

import dev.ovation.web.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.List;

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
     * What many entities show.
     *
     * @return in the order of the query's items
     * @throws ProblemException when there is no such namespace, or one cannot be read now
     */
    default List<EntityView> read(EntityQuery query) {
        return query.items().stream()
                .map(item -> read(item.key().namespace(), item.key().entity(), query.viewer()))
                .toList();
    }

    /**
     * Adds or removes one reaction; returns once the change, if any, is durable.
     *
     * @param withState whether the result's entity must hold counts and the user's reactions
     * @throws ProblemException when it is refused, or when its outcome is not known
     */
    WriteResult write(Command command, boolean withState);
}
